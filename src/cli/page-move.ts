import type { AssetState } from '../asset/asset.ts'
import { publishByHand } from '../site/publish-by-hand.ts'
import { accountNamed } from './account-named.ts'
import { assetNamed } from './asset-named.ts'
import type { ExitStatus } from './command.ts'
import { toJson } from './output/json.ts'
import { pageAddresses } from './page-address.ts'
import type { Session } from './session.ts'
import { withBox } from './with-box.ts'

export interface PageMove {
  account: string
  slug: string
  state: AssetState
  json: boolean
}

/** `page publish` and `page unpublish`: the same bytes, in the other state. */
export async function movePage(
  { account: handle, slug, state, json }: PageMove,
  session: Session,
): Promise<ExitStatus> {
  const { clock } = session
  const result = await withBox(session, async (box, config) => {
    const account = await accountNamed(box.accounts, handle)
    const doing = `capture page ${state === 'live' ? 'publish' : 'unpublish'} ${account.handle}`
    return box.sites.exclusively(doing, async () => {
      const page = await assetNamed(box.catalogue, account, { kind: 'page', text: slug })
      const changed = page.current.state !== state
      if (changed) await publishByHand({ account, asset: page, version: { ...page.current, state } }, { ...box, clock })
      const addressOf = await pageAddresses({ account, box, config, clock })
      const now = await assetNamed(box.catalogue, account, { kind: 'page', text: page.name })
      return { account: account.handle, slug: page.name, id: page.id, state, changed, url: addressOf(now) }
    })
  })
  const siteToml = `[[pages]]\nslug = "${result.slug}"\nstate = "${state}"\n`
  if (json) await session.out.write(toJson({ ...result, siteToml }))
  else await session.out.write(`${result.slug} ${result.changed ? 'is now' : 'was already'} ${state}: ${result.url}\n`)
  if (result.changed) session.err.write(advice(siteToml))
  return 0
}

const advice = (siteToml: string): string =>
  `The folder is the truth. For the next apply to agree, let the page's entry in site.toml say this (add the entry where
there is none; a \`file\` line in it stays):
${siteToml}`
