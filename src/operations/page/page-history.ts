import type { AssetVersion } from '../../asset/asset.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'

export interface PageHistory {
  account: string
  slug: string
  id: string
  /** The number of the current version. */
  current: number
  /** The kept versions, latest first. */
  versions: AssetVersion[]
}

/** The kept versions of a page. @throws OperatorError when there is no such account or page */
export async function pageHistory(
  { accounts, catalogue }: Pick<Box, 'accounts' | 'catalogue'>,
  { account: handle, slug }: { account: string; slug: string },
): Promise<PageHistory> {
  const account = await accountNamed(accounts, handle)
  const page = await assetNamed(catalogue, account, { kind: 'page', text: slug })
  const versions = await catalogue.versions(page.id)
  return { account: account.handle, slug: page.name, id: page.id, current: page.current.number, versions }
}
