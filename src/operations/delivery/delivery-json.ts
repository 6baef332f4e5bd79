import type { ListedDelivery, ShownDelivery } from '../../delivery/delivery-control.ts'
import { instant } from '../../report/record.ts'

/** A row of `delivery list --json` (docs/deliveries.md). */
export const deliveryJson = (row: ListedDelivery) => ({
  id: row.id,
  destination: row.destination,
  kind: row.kind,
  submissionId: row.submissionId,
  state: row.state,
  paused: row.paused,
  attempts: row.attempts,
  createdAt: instant(row.createdAt),
  nextAt: row.nextAt === null ? null : instant(row.nextAt),
  lastStatus: row.lastStatus,
  lastError: row.lastError,
})

export type DeliveryJson = ReturnType<typeof deliveryJson>

/** The same with every exchange that is kept, as `delivery show --json` has it. */
export const shownDeliveryJson = ({ exchanges, ...row }: ShownDelivery) => ({
  ...deliveryJson(row),
  exchanges: exchanges.map(({ at, ...exchange }) => ({ ...exchange, at: instant(at) })),
})

export type ShownDeliveryJson = ReturnType<typeof shownDeliveryJson>
