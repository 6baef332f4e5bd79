import type { StoredAccount } from '../account/account.ts'
import type { Asset } from '../asset/asset.ts'
import type { Config } from '../config/config.ts'
import { publicBase } from '../config/public-url.ts'
import type { Clock } from '../lib/clock.ts'
import type { CommandBox } from './open.ts'
import { previewAddresses } from './preview-address.ts'

export interface PageAddressing {
  account: StoredAccount
  box: Pick<CommandBox, 'signingKeys'>
  config: Config
  clock: Clock
}

/** Where a page can be seen as it is now: live on the account's first domain, or by a preview address of one hour. */
export async function pageAddresses({ account, box, config, clock }: PageAddressing): Promise<(page: Asset) => string> {
  const previews = await previewAddresses({ accountId: account.id, config, clock, signingKeys: box.signingKeys })
  const [host] = account.settings.domains
  return (page) =>
    page.current.state === 'preview' || host === undefined
      ? previews.of(page)
      : `${publicBase(config, host)}/${page.name}`
}
