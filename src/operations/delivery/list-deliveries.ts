import type { DeliveryDesk, ListedDelivery } from '../../delivery/delivery-desk.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { catchUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'

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
  box: Pick<Box, 'accounts' | 'processing' | 'deliveries'>,
  { account: handle, failedOnly, limit }: DeliveriesWanted,
  onNotice: OnRecordNotice,
): AsyncGenerator<ListedDelivery[]> {
  const { id: accountId } = await accountNamed(box.accounts, handle)
  await catchUp(box.processing, onNotice)
  let left = limit ?? Number.POSITIVE_INFINITY
  for (let behind: string | null = null; left > 0; ) {
    const asked = Math.min(left, pageRows)
    const page: ListedDelivery[] = await pageOf(box.deliveries, { accountId, failedOnly, limit: asked, behind })
    if (page.length > 0) yield page
    if (page.length < asked) return
    left -= page.length
    behind = page.at(-1)?.id ?? null
  }
}

const pageOf = (deliveries: DeliveryDesk, query: Parameters<DeliveryDesk['list']>[0]): Promise<ListedDelivery[]> =>
  deliveries.list(query)
