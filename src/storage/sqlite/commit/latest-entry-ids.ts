import { desc, inArray } from 'drizzle-orm'
import type { Connection } from '../database/connection.ts'
import { capturedKinds } from '../ledger/ledger-codec.ts'
import { ledger } from '../ledger/ledger-schema.ts'

/**
 * The ids of the latest so many entries that were captured. These are written by the one server of a folder, in the order
 * in which it hands them over: whatever is stored of the last n of them stands among the last n rows of their kinds, and
 * no index by id is needed.
 */
export function latestEntryIds({ db }: Connection, count: number): Set<string> {
  const rows = db
    .select({ id: ledger.id })
    .from(ledger)
    .where(inArray(ledger.kind, capturedKinds))
    .orderBy(desc(ledger.sequence))
    .limit(count)
    .all()
  return new Set(rows.map(({ id }) => id))
}
