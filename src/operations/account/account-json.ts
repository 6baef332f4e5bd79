import type { AccountContents } from './remove-account.ts'
import type { ShownAccount } from './show-account.ts'

/** As `account show --json` and the API show it. */
export const shownAccountJson = ({ handle, id, settings, trackingKeys, forms, destinations, holds }: ShownAccount) => ({
  account: handle,
  id,
  settings,
  trackingKeys: trackingKeys.map(({ validUntil }) => ({
    validUntil: validUntil === null ? null : new Date(validUntil).toISOString(),
  })),
  forms,
  ...(destinations.length > 0 && { deliveries: destinations }),
  holds,
})

/** As `account remove --json` and the API show it. @param removed whether it is gone, or would only go */
export const removedAccountJson = (
  { account, domains, pages, images, files, forms, records }: AccountContents,
  removed: boolean,
) => ({ account, removed, domains, pages, images, files, forms, records })
