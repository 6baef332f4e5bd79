import type { ErasureEntry } from '../../../ledger/decision.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { storedAccountRow } from '../lookup/account-row.ts'

/**
 * Adds erasures of another copy of the box to the log of a restored database. Without them, the next restore would
 * erase too little. Erases nothing.
 */
export function carryErasures(restored: Connection, unknown: readonly ErasureEntry[]): void {
  writeTransaction(restored, () => {
    for (const entry of unknown) carryErasure(restored, entry)
  })
}

function carryErasure(restored: Connection, entry: ErasureEntry): void {
  const accountRow = storedAccountRow(restored, entry.accountId) ?? addAbsentAccount(restored, entry.accountId)
  appendDecision(restored, accountRow, entry)
}

/**
 * An account younger than the backup gets removal time 0, which distinguishes it from those that an operator removed.
 */
function addAbsentAccount({ raw }: Connection, accountId: string): number {
  const added = raw
    .query<{ row: number }, [string]>(
      `INSERT INTO account (id, handle, settings, site_revision, changed_at_revision, created_at, removed_at)
       VALUES (?1, ?1, '{}', 0, 0, 0, 0) RETURNING row`,
    )
    .get(accountId)
  if (added === null) throw new Error('the account of an erasure could not be added')
  return added.row
}

/** Entries that another ledger does not know completely. */
export function unknownErasures(there: readonly ErasureEntry[], here: readonly ErasureEntry[]): ErasureEntry[] {
  const known = new Set(here.flatMap(partsOf))
  return there.filter((entry) => partsOf(entry).some((part) => !known.has(part)))
}

/** An erasure that an older backup holds half done has not ended there. */
const partsOf = ({ erasureId, records, isEnd }: ErasureEntry): string[] => [
  ...records.map((id) => `${erasureId} ${id}`),
  ...(isEnd ? [`${erasureId} end`] : []),
]
