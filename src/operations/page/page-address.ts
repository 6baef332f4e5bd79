import type { StoredAccount } from '../../account/account.ts'
import type { Asset } from '../../asset/asset.ts'
import { publicBase } from '../../config/own-hosts.ts'
import type { Box } from '../box.ts'
import { previewAddresses } from './preview-link.ts'

/** A page's address: on the account's first domain if live, else a preview address valid for an hour. */
export async function pageAddresses(
  box: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  account: StoredAccount,
): Promise<(page: Asset) => string> {
  const previews = await previewAddresses(box, account)
  const [host] = account.settings.domains
  return (page) =>
    page.current.state === 'preview' || host === undefined
      ? previews.of(page)
      : `${publicBase(box.config, host)}/${page.name}`
}
