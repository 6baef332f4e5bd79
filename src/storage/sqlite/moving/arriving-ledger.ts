import type { ErasureEntry } from '../../../ledger/decision.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { erasuresOf } from '../forgetting/erasure-log.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import { type ArrivingAccount, takeKeys } from './arriving-account.ts'

/** Entries stored in one transaction: about 5 ms. */
const entriesPerStep = 250

interface LedgerCopy {
  accountRow: number
  /** A condition on `entry` that selects the entries. */
  where: string
  /** Whether processing sends nothing for them. */
  areDelivered: boolean
}

/**
 * Appends entries of the database attached as `arriving` to the ledger, in order and in short transactions, and notes
 * their new numbers in `arriving.moved_sequence`. Returns how many there were and the last one's number; 0: none.
 */
export async function copyLedger(connection: Connection, copy: LedgerCopy): Promise<{ entries: number; last: number }> {
  const { raw, db } = connection
  raw.run('CREATE TABLE arriving.moved_sequence (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)')
  const statements = prepareStatements(connection, copy.where)
  let entries = 0
  let last = 0
  for (let after = 0; ; ) {
    const some = statements.page.all(after)
    const end = some.at(-1)?.sequence
    if (end === undefined) return { entries, last }
    writeTransaction({ db }, () => {
      const numbers = some.map(({ sequence }) => ({ sequence, added: statements.add.get(copy.accountRow, sequence) }))
      for (const { sequence, added } of numbers) statements.note.run(sequence, added?.sequence ?? 0)
      const first = numbers[0]?.added?.sequence ?? 0
      last = numbers.at(-1)?.added?.sequence ?? 0
      statements.noteHours.run(first, last)
      if (copy.areDelivered) statements.noteDelivered.run(last, first)
    })
    entries += some.length
    after = end
    await breath()
  }
}

function prepareStatements({ raw }: Connection, where: string) {
  return {
    page: raw.query<{ sequence: number }, [number]>(
      `SELECT sequence FROM arriving.ledger entry WHERE sequence > ? AND ${where} ORDER BY sequence LIMIT ${entriesPerStep}`,
    ),
    add: raw.query<{ sequence: number }, [number, number]>(
      `INSERT INTO main.ledger (account_row, kind, id, received_at, record, checksum)
       SELECT ?, kind, id, received_at, record, checksum FROM arriving.ledger WHERE sequence = ? RETURNING sequence`,
    ),
    note: raw.query<null, [number, number]>('INSERT INTO arriving.moved_sequence (old, new) VALUES (?, ?)'),
    // Each arriving account may bring older hours; an hour's first entry has the lowest number of all.
    noteHours: raw.query<null, [number, number]>(
      `INSERT INTO main.receipt_hour (hour, first_sequence)
       SELECT received_at / 3600000, min(sequence) FROM main.ledger WHERE sequence BETWEEN ? AND ? GROUP BY 1
       ON CONFLICT DO NOTHING`,
    ),
    noteDelivered: raw.query<null, [number, number]>(
      'INSERT INTO main.delivered_elsewhere (last_sequence, first_sequence) VALUES (?, ?)',
    ),
  }
}

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
