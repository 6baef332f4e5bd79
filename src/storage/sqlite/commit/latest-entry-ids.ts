import { desc, inArray } from 'drizzle-orm'
import type { Connection } from '../database/connection.ts'
import { capturedKinds } from '../ledger/ledger-codec.ts'
import { ledger } from '../schema/ledger-schema.ts'

/**
 * The ids of the latest captured entries, so many of them. The folder's one server writes these in the order in which
 * it hands them over, so whatever is stored of its last n is among the last n rows of their kinds; no index by id is
 * needed.
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
