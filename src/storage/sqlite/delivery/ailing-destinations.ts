import { and, asc, eq, isNull } from 'drizzle-orm'
import { type Destination, isReachedByMail } from '../../../account/destination.ts'
import type { PauseReason } from '../../../delivery/delivery-control.ts'
import type { AilingDestination } from '../../../operations/doctor/inspection.ts'
import { pauseOf } from '../account/destination-rows.ts'
import type { Connection } from '../database/connection.ts'
import { account } from '../schema/account-schema.ts'
import { destination } from '../schema/delivery-schema.ts'

interface AilingRow extends Omit<AilingDestination, 'kind' | 'pause'> {
  definition: string
  pausedAt: number | null
  pauseReason: PauseReason | null
}

/** Destinations that are paused, failing, or have failed deliveries. Works on a read-only connection. */
export const ailingDestinations = ({ raw }: Pick<Connection, 'raw'>): AilingDestination[] =>
  raw
    .query<AilingRow, []>(
      `WITH failed AS (SELECT destination_row, count(*) AS count FROM delivery WHERE state = 'failed' GROUP BY destination_row)
       SELECT handle, name, definition, paused_at AS pausedAt, pause_reason AS pauseReason,
         failing_since AS failingSince, coalesce(failed.count, 0) AS failed,
         (SELECT count(*) FROM delivery WHERE destination_row = destination.row AND state = 'waiting') AS waiting
       FROM destination
       JOIN account ON account.row = destination.account_row
       LEFT JOIN failed ON failed.destination_row = destination.row
       WHERE destination.removed_at IS NULL AND account.removed_at IS NULL
         AND (paused_at IS NOT NULL OR failing_since IS NOT NULL OR failed.count > 0)
       ORDER BY handle, name`,
    )
    .all()
    .map(({ definition, pausedAt, pauseReason, ...row }) => ({
      ...row,
      kind: (JSON.parse(definition) as Destination).kind,
      pause: pauseOf(pausedAt, pauseReason),
    }))
    // A reply that is not taken says something of one visitor's address alone.
    .filter(({ kind, pause }) => kind !== 'reply' || pause !== null)

/** Handles of accounts with a mail destination. */
export function mailingAccounts({ db }: Pick<Connection, 'db'>): string[] {
  const rows = db
    .select({ handle: account.handle, definition: destination.definition })
    .from(destination)
    .innerJoin(account, eq(account.row, destination.accountRow))
    .where(and(isNull(destination.removedAt), isNull(account.removedAt)))
    .orderBy(asc(account.handle))
    .all()
  const mailing = rows.filter(({ definition }) => isReachedByMail(definition))
  return [...new Set(mailing.map(({ handle }) => handle))]
}
