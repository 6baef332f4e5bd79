import type { Asset, AssetVersion } from '../asset/asset.ts'
import { isSound } from '../asset/sound-bytes.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { publishByHand } from '../site/publish-by-hand.ts'
import { accountNamed } from './account-named.ts'
import { assetNamed } from './asset-named.ts'
import type { ExitStatus } from './command.ts'
import type { CommandBox } from './open.ts'
import { toJson } from './output/json.ts'
import { timestamp } from './output/quantities.ts'
import { pageAddresses } from './page-address.ts'
import type { Session } from './session.ts'
import { withBox } from './with-box.ts'

export interface PageRollback {
  account: string
  slug: string
  /** `null`: the latest version with other content. */
  to: number | null
  json: boolean
}

export async function rollBackPage(request: PageRollback, session: Session): Promise<ExitStatus> {
  const { clock } = session
  const { result, target } = await withBox(session, async (box, config) => {
    const account = await accountNamed(box.accounts, request.account)
    return box.sites.exclusively(`capture page rollback ${account.handle}`, async () => {
      const page = await assetNamed(box.catalogue, account, { kind: 'page', text: request.slug })
      const target = wanted(await box.catalogue.versions(page.id), page, request.to)
      await assertHeld(target, box)
      const version = { ...target, state: page.current.state }
      await publishByHand({ account, asset: page, version }, { ...box, clock })
      const addressOf = await pageAddresses({ account, box, config, clock })
      const now = await assetNamed(box.catalogue, account, { kind: 'page', text: page.name })
      const { number, state, sha256 } = now.current
      const common = { account: account.handle, slug: page.name, id: page.id, state, version: number }
      return { target, result: { ...common, rolledBackTo: target.number, sha256, url: addressOf(now) } }
    })
  })
  const from = `version ${target.number} of ${timestamp(target.publishedAt)}`
  await session.out.write(
    request.json ? toJson(result) : `${result.slug} shows ${from} again, as version ${result.version}: ${result.url}\n`,
  )
  session.err.write(advice(result.slug, result.url))
  return 0
}

function wanted(versions: AssetVersion[], page: Asset, to: number | null): AssetVersion {
  const { current, name } = page
  const target =
    to === null
      ? versions.find(({ number, sha256 }) => number < current.number && sha256 !== current.sha256)
      : versions.find(({ number }) => number === to)
  if (target === undefined) {
    const kept = versions.map(({ number }) => number).join(', ')
    throw new OperatorError(
      to === null
        ? `There is no earlier version of ${name} with other content.`
        : `There is no version ${to} of ${name}. Kept are: ${kept}.`,
    )
  }
  if (target.sha256 !== current.sha256) return target
  throw new OperatorError(
    `${name} shows the content of version ${target.number} already (as version ${current.number}).`,
  )
}

async function assertHeld({ sha256, number }: AssetVersion, { assets }: CommandBox): Promise<void> {
  const stored = { sha256, encoding: 'identity' } as const
  const held = await assets.open(stored)
  if (held === null) {
    throw new OperatorError(`The content of version ${number} is missing on this box; \`capture doctor\` says what is.`)
  }
  if (await isSound(stored, held)) return
  throw new OperatorError(
    `The content of version ${number} is damaged on this box; \`capture doctor --deep\` says what is, and what to do.`,
  )
}

const advice = (slug: string, url: string): string =>
  `The folder is the truth, and nothing in site.toml says which content a page has. For the next apply to agree, give the
page's file in the folder this content again, while the page is served:
  curl -sSo pages/${slug}.html '${url}'
`
