import type { Publisher } from '../../account/publisher.ts'
import type { AssetState } from '../../asset/asset.ts'
import type { KnownRevisions } from '../../lib/revision.ts'
import { publishByHand } from '../../site/publish-by-hand.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { pageAddresses } from './page-address.ts'
import { assertPageKnown } from './page-revision.ts'

export interface PageMove {
  account: string
  /** The page's slug or short id. */
  slug: string
  state: AssetState
  by: Publisher
  known?: KnownRevisions
}

export interface MovedPage {
  account: string
  slug: string
  id: string
  state: AssetState
  /** Whether the state changed. */
  changed: boolean
  url: string
  /** The change in site.toml that keeps the next apply from undoing this. */
  siteToml: string
}

/**
 * Publishes or unpublishes a page by hand: same bytes, other state.
 *
 * @throws OperatorError when there is no such account or page, or while another process publishes
 * @throws ChangedMeanwhile when the page is at none of the known revisions
 */
export async function movePage(
  box: Pick<Box, 'accounts' | 'catalogue' | 'sites' | 'assets' | 'signingKeys' | 'config' | 'clock'>,
  { account: handle, slug, state, by, known = null }: PageMove,
): Promise<MovedPage> {
  const account = await accountNamed(box.accounts, handle)
  const doing = `capture page ${state === 'live' ? 'publish' : 'unpublish'} ${account.handle}`
  return box.sites.exclusively(doing, async () => {
    const page = await assetNamed(box.catalogue, account, { kind: 'page', text: slug })
    assertPageKnown(page, known)
    const changed = page.current.state !== state
    if (changed) await publishByHand({ account, asset: page, version: { ...page.current, state }, by }, box)
    const addressOf = await pageAddresses(box, account)
    const url = addressOf(await assetNamed(box.catalogue, account, { kind: 'page', text: page.name }))
    const siteToml = `[[pages]]\nslug = "${page.name}"\nstate = "${state}"\n`
    return { account: account.handle, slug: page.name, id: page.id, state, changed, url, siteToml }
  })
}
