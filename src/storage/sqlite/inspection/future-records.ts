import type { Connection } from '../database/connection.ts'
import { capturedKinds } from '../ledger/ledger-codec.ts'

/** Records received after the instant, epoch milliseconds, and the latest of them. Reads the whole ledger. */
export function recordsReceivedAfter({ raw }: Connection, at: number): { count: number; latestAt: number | null } {
  const found = raw
    .query<{ count: number; latestAt: number | null }, [number]>(
      `SELECT count(*) AS count, max(received_at) AS latestAt FROM ledger
       WHERE received_at > ? AND kind IN (${capturedKinds})`,
    )
    .get(at)
  return found ?? { count: 0, latestAt: null }
}
