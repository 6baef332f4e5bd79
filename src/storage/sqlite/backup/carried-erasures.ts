import { type ErasureEntry, erasedIdsMax } from '../../../ledger/decision.ts'
import { newId } from '../../../lib/id.ts'
import { storedAccountRow } from '../account/account-row.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { appendDecision } from '../ledger/append-decision.ts'

/**
 * Adds erasures of another copy of the box to the log of a restored database. Without them, the next restore would
 * erase too little. Erases nothing.
 */
export function carryErasures(restored: Connection, unknown: readonly ErasureEntry[]): void {
  writeTransaction(restored, () => {
    for (const entry of unknown) carryErasure(restored, entry)
  })
}

/** The first versions' tables may name more records than one entry does. */
function carryErasure(restored: Connection, entry: ErasureEntry): void {
  const accountRow = storedAccountRow(restored, entry.accountId) ?? addAbsentAccount(restored, entry.accountId)
  const { records } = entry
  for (let from = 0; from === 0 || from < records.length; from += erasedIdsMax) {
    const isLast = from + erasedIdsMax >= records.length
    appendDecision(restored, accountRow, {
      ...entry,
      id: isLast ? entry.id : newId(),
      records: records.slice(from, from + erasedIdsMax),
      isEnd: isLast && entry.isEnd,
    })
  }
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
