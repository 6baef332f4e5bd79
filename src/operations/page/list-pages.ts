import type { AssetState, AssetVersion } from '../../asset/asset.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { pageAddresses } from './page-address.ts'

/** A page in its published state. */
export interface ListedPage extends Pick<AssetVersion, 'publishedAt' | 'publishedBy'> {
  slug: string
  id: string
  state: AssetState
  /** The number of its current version. */
  version: number
  /** The page's address; in preview, a signed address valid for an hour. */
  url: string
}

/** The landing pages of an account. @throws OperatorError when there is no account of that handle */
export async function listPages(
  box: Pick<Box, 'accounts' | 'catalogue' | 'signingKeys' | 'config' | 'clock'>,
  handle: string,
): Promise<{ account: string; pages: ListedPage[] }> {
  const account = await accountNamed(box.accounts, handle)
  const addressOf = await pageAddresses(box, account)
  const assets = await box.catalogue.assets(account.id)
  const pages = assets.flatMap((asset) => {
    const { state, number, publishedAt, publishedBy } = asset.current
    if (asset.kind !== 'page') return []
    return [{ slug: asset.name, id: asset.id, state, version: number, publishedAt, publishedBy, url: addressOf(asset) }]
  })
  return { account: account.handle, pages }
}
