import type { StoredAccount } from '../../account/account.ts'
import type { Asset } from '../../asset/asset.ts'
import { publicBase } from '../../config/public-url.ts'
import type { Box } from '../box.ts'
import { previewAddresses } from './preview-address.ts'

/** Where a page can be seen as it is now: live on the account's first domain, or by a preview address of one hour. */
export async function pageAddresses(
  box: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  account: StoredAccount,
): Promise<(page: Asset) => string> {
  const previews = await previewAddresses(box, account.id)
  const [host] = account.settings.domains
  return (page) =>
    page.current.state === 'preview' || host === undefined
      ? previews.of(page)
      : `${publicBase(box.config, host)}/${page.name}`
}
