import type { RetentionClass } from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'

/** Receipt of the first record of each class, epoch milliseconds; `null`: none. */
export function firstOfEachClass({ raw }: Connection, accountRow: number): Record<RetentionClass, number | null> {
  const submission = raw.query<{ at: number | null }, [number, string]>(
    'SELECT min(received_at) AS at FROM submission_fact WHERE account_row = ? AND status = ?',
  )
  const event = raw.query<{ at: number }, [number, number]>(
    'SELECT received_at AS at FROM ledger WHERE account_row = ? AND kind = ? ORDER BY sequence LIMIT 1',
  )
  const events = [entryKinds.event, entryKinds.page_view, entryKinds.click].flatMap((kind) => {
    const first = event.get(accountRow, kind)
    return first === null ? [] : [first.at]
  })
  return {
    submissions: submission.get(accountRow, 'accepted')?.at ?? null,
    events: events.length === 0 ? null : Math.min(...events),
    refused: submission.get(accountRow, 'refused')?.at ?? null,
  }
}
