import type { DeliveryPage, DeliveryQuery, ListedDelivery } from '../../delivery/delivery-control.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import { pageInTime } from '../record/page-in-time.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'

type ListingBox = Pick<Box, 'accounts' | 'processing' | 'deliveries'>

export interface DeliveriesWanted {
  account: string
  failedOnly: boolean
  /** `null`: all of them. */
  limit: number | null
}

/** Read at once, so that a list of any length takes no more memory than this. */
const pageRows = 1000

/**
 * The deliveries of an account, the latest first, page by page.
 *
 * @throws OperatorError when there is no such account
 */
export async function* listDeliveries(
  box: ListingBox,
  { account: handle, failedOnly, limit }: DeliveriesWanted,
  onNotice: OnRecordNotice,
): AsyncGenerator<ListedDelivery[]> {
  const { id: accountId } = await accountCaughtUp(box, handle, onNotice)
  const query = { accountId, state: failedOnly ? ('failed' as const) : null, q: null }
  let left = limit ?? Number.POSITIVE_INFINITY
  for (let behind: string | null = null; left > 0; ) {
    const page: DeliveryPage = await box.deliveries.list({ ...query, limit: Math.min(left, pageRows), behind })
    if (page.deliveries.length > 0) yield page.deliveries
    if (page.next === null) return
    left -= page.deliveries.length
    behind = page.next
  }
}

export interface DeliveryPageWanted extends Omit<DeliveryQuery, 'accountId'> {
  account: string
}

/** One page of them. @throws OperatorError when there is no such account */
export async function pageOfDeliveries(
  box: ListingBox & Pick<Box, 'clock'>,
  { account: handle, ...query }: DeliveryPageWanted,
  onNotice: OnRecordNotice,
): Promise<DeliveryPage> {
  const { id: accountId } = await accountCaughtUp(box, handle, onNotice)
  const { found, next } = await pageInTime(query, box.clock, async (behind, limit) => {
    const part = await box.deliveries.list({ ...query, behind, limit, accountId })
    return { found: part.deliveries, next: part.next }
  })
  return { deliveries: found, next }
}
