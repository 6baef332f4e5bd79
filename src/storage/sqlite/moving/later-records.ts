import type { ErasureEntry } from '../../../ledger/decision.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { erasuresOf } from '../forgetting/erasure-entries.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import type { ArrivingAccount } from './arriving-account.ts'
import { copyLedger } from './copied-ledger.ts'
import { takeKeys } from './moved-keys.ts'

/**
 * Adds the records and releases of the database attached as `arriving` that the account lacks and that nobody erased
 * here. They are processed like any others, except that the other box made their deliveries.
 *
 * @returns their number and the other box's erasures
 */
export async function addLaterRecords(
  connection: Connection,
  { accountRow, arriving }: { accountRow: number; arriving: ArrivingAccount },
): Promise<{ records: number; erasures: ErasureEntry[] }> {
  const { raw, db } = connection
  writeTransaction({ db }, () => takeKeys(connection, { accountRow, arriving }))
  noteKnown(connection, { accountRow, arriving })
  const isNew = `kind <> ${decisionKinds.erasure}
    AND NOT EXISTS (SELECT 1 FROM arriving.known WHERE known.id = entry.id AND known.kind IN (entry.kind, 0))`
  const { entries } = await copyLedger(connection, { accountRow, where: isNew, areDelivered: true })
  return { records: entries, erasures: erasuresOf(raw, arriving, 'arriving') }
}

/** What the account has and, under the kind 0, what was erased from it, which must not come back. */
function noteKnown({ raw }: Connection, { accountRow, arriving }: { accountRow: number; arriving: ArrivingAccount }) {
  raw.run('CREATE TABLE arriving.known (id TEXT, kind INTEGER, PRIMARY KEY (id, kind)) WITHOUT ROWID')
  raw
    .query(
      `INSERT INTO arriving.known (id, kind) SELECT DISTINCT id, kind FROM main.ledger WHERE account_row = ?
       AND received_at >= (SELECT coalesce(min(received_at), 0) FROM arriving.ledger)`,
    )
    .run(accountRow)
  const erased = erasuresOf(raw, { ...arriving, row: accountRow }).flatMap(({ records }) => records)
  raw
    .query('INSERT OR IGNORE INTO arriving.known (id, kind) SELECT value, 0 FROM json_each(?)')
    .run(JSON.stringify(erased))
}
