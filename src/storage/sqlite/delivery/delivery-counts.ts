import type { DeliveryState } from '../../../delivery/outbox.ts'
import type { Connection } from '../database/connection.ts'

/** How many deliveries are in each state. Delivered ones, possibly millions, follow from the others. */
export function deliveryCounts({ raw }: Pick<Connection, 'raw'>): Record<DeliveryState, number> {
  const { total, waiting, failed } = raw
    .query<{ total: number; waiting: number; failed: number }, []>(
      `SELECT (SELECT count(*) FROM delivery) AS total,
         (SELECT count(*) FROM delivery WHERE state = 'waiting') AS waiting,
         (SELECT count(*) FROM delivery WHERE state = 'failed') AS failed`,
    )
    .get() ?? { total: 0, waiting: 0, failed: 0 }
  return { waiting, delivered: total - waiting - failed, failed }
}
