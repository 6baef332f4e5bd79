import type { Database } from 'bun:sqlite'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { erasuresOf } from '../forgetting/erasure-log.ts'
import { decisionKinds, isOfSubmission } from '../ledger/ledger-codec.ts'
import { senderDigits } from '../processing/submission-rows.ts'
import { type DeclaredTable, tables } from '../schema/tables.ts'
import { type SealedName, sealOf } from '../seal/box-seal.ts'

/** The account in the database attached as `arriving`. */
export interface ArrivingAccount {
  row: number
  id: string
  handle: string
}

/** The only account of an extract; `null`: none or several. */
export function arrivingAccount({ raw }: Pick<Connection, 'raw'>): ArrivingAccount | null {
  const found = raw
    .query<ArrivingAccount, []>('SELECT row, id, handle FROM arriving.account WHERE removed_at IS NULL LIMIT 2')
    .all()
  return found.length === 1 ? (found[0] ?? null) : null
}

interface KeyRow {
  id: string
  purpose: string
  secret: Uint8Array
  createdAt: number
  verifiesUntil: number | null
}

const keyColumns = 'id, purpose, secret, created_at AS createdAt, verifies_until AS verifiesUntil'

/**
 * Makes the other box's signatures for the account valid here, for this account alone: keys of `signing_key` and
 * `moved_signing_key` of the database attached as `arriving`, except those this box itself signs with. Call in a transaction.
 */
export function takeKeys(
  { raw }: Pick<Connection, 'raw'>,
  { accountRow, arriving }: { accountRow: number; arriving: ArrivingAccount },
): void {
  const seal = sealOf(raw)
  const own = new Map(
    keysIn(raw, 'main.signing_key', 'signing_key.secret', (id) => id).map(({ id, secret }) => [id, secret]),
  )
  const insert = raw.query<null, [number, string, string, Uint8Array, number, number | null]>(
    `INSERT INTO main.moved_signing_key (account_row, id, purpose, secret, created_at, verifies_until)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const ofAccount = (id: string): string => `${arriving.id} ${id}`
  const brought = [
    ...keysIn(raw, 'arriving.signing_key', 'signing_key.secret', (id) => id),
    ...keysIn(raw, 'arriving.moved_signing_key', 'moved_signing_key.secret', ofAccount),
  ]
  for (const { id, purpose, secret, createdAt, verifiesUntil } of brought) {
    const known = own.get(id)
    if (known !== undefined && Buffer.from(known).equals(secret)) continue
    const sealed = seal.sealBytes('moved_signing_key.secret', ofAccount(id), secret)
    insert.run(accountRow, id, purpose, sealed, createdAt, verifiesUntil)
  }
}

/** The arriving database is sealed with the key of this box by now. */
function keysIn(raw: Database, table: string, name: SealedName, identity: (id: string) => string): KeyRow[] {
  const rows = raw.query<KeyRow, []>(`SELECT ${keyColumns} FROM ${table}`).all()
  return rows.map((row) => ({ ...row, secret: sealOf(raw).openBytes(name, identity(row.id), row.secret) }))
}

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
 * Adds the records, releases and refusals of the database attached as `arriving` that the account lacks and that nobody erased
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
    AND NOT EXISTS (SELECT 1 FROM arriving.known WHERE known.id = entry.id
      AND (known.kind = 0 OR (known.kind = entry.kind AND known.at = ${decidedAt('entry')})))`
  const { entries } = await copyLedger(connection, { accountRow, where: isNew, areDelivered: true })
  return { records: entries, erasures: erasuresOf(raw, arriving, 'arriving') }
}

/** Of one submission there may be several releases and refusals, told apart by their time. */
const decidedAt = (row: string): string => `iif(${row}.kind ${isOfSubmission}, ${row}.received_at, 0)`

/** What the account has and, under the kind 0, what was erased from it, which must not come back. */
function noteKnown({ raw }: Connection, { accountRow, arriving }: { accountRow: number; arriving: ArrivingAccount }) {
  raw.run('CREATE TABLE arriving.known (id TEXT, kind INTEGER, at INTEGER, PRIMARY KEY (id, kind, at)) WITHOUT ROWID')
  raw
    .query(
      `INSERT INTO arriving.known (id, kind, at) SELECT DISTINCT id, kind, ${decidedAt('ledger')} FROM main.ledger WHERE account_row = ?
       AND received_at >= (SELECT coalesce(min(received_at), 0) FROM arriving.ledger)`,
    )
    .run(accountRow)
  const erased = erasuresOf(raw, { ...arriving, row: accountRow }).flatMap(({ records }) => records)
  raw
    .query('INSERT OR IGNORE INTO arriving.known (id, kind, at) SELECT value, 0, 0 FROM json_each(?)')
    .run(JSON.stringify(erased))
}

const rowsPerStep = 500

const copied = tables.filter(({ move }) => move === 'copied')

/** Tables whose row numbers other tables have in a column `…_row`. */
const numbered = copied.flatMap(({ name, columns, isRenumbered }) =>
  columns.includes('row') && !isRenumbered ? [name] : [],
)

/** How an arriving account's rows are numbered on this box. */
interface ArrivalNumbers {
  accountRow: number
  /** What is added to the row numbers of each numbered table. */
  offsets: ReadonlyMap<string, number>
}

/** Reserves row numbers for all arriving rows (sqlite.org/autoinc.html), in one short transaction. */
export function reserveNumbers({ db, raw }: Connection, accountRow: number): ArrivalNumbers {
  const reserve = (table: string): number => {
    const used = raw
      .query<{ last: number }, [string]>(
        `SELECT max(coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = ?1), 0),
           coalesce((SELECT max(row) FROM main.${table}), 0)) AS last`,
      )
      .get(table)
    const last = used?.last ?? 0
    const arriving = raw.query<{ last: number | null }, []>(`SELECT max(row) AS last FROM arriving.${table}`).get()
    raw.query('DELETE FROM main.sqlite_sequence WHERE name = ?').run(table)
    raw.query('INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last + (arriving?.last ?? 0))
    return last
  }
  return writeTransaction({ db }, () => ({
    accountRow,
    offsets: new Map(numbered.map((table) => [table, reserve(table)])),
  }))
}

/** Copies everything that refers to the account, with this box's row numbers, in short transactions. */
export async function copyRows(connection: Connection, numbers: ArrivalNumbers): Promise<void> {
  for (const table of copied) await copyTable(connection, table, numbers)
}

async function copyTable({ raw, db }: Connection, table: DeclaredTable, numbers: ArrivalNumbers) {
  const { name, isRenumbered } = table
  const columns = table.columns.filter((column) => !(isRenumbered && column === 'row'))
  const listed = columns.map((column) => `"${column}"`).join(', ')
  raw.run(`CREATE TABLE arriving.moved_${name} (position INTEGER PRIMARY KEY, ${listed})`)
  const arrived = columns.map((column) => arrivedColumn(name, column, numbers)).join(', ')
  raw.run(`INSERT INTO arriving.moved_${name} (${listed}) SELECT ${arrived} FROM arriving.${name}`)
  const copy = raw.query<null, [number, number]>(
    `INSERT INTO main.${name} (${listed}) SELECT ${listed} FROM arriving.moved_${name} WHERE position > ? AND position <= ?`,
  )
  const last = raw.query<{ last: number | null }, []>(`SELECT max(position) AS last FROM arriving.moved_${name}`).get()
  for (let done = 0; done < (last?.last ?? 0); done += rowsPerStep) {
    writeTransaction({ db }, () => copy.run(done, done + rowsPerStep))
    await breath()
  }
}

/** A column of an arriving table with this box's numbers: an expression over a row of the table. */
function arrivedColumn(table: string, column: string, { accountRow, offsets }: ArrivalNumbers): string {
  if (column === 'account_row') return String(accountRow)
  if (column === 'sequence') return `(SELECT new FROM arriving.moved_sequence WHERE old = ${table}.sequence)`
  if (table === 'submission_fact' && column === 'fingerprint') return arrivedFingerprint(offsets)
  for (const [of, offset] of offsets) {
    // 0 stands for nobody (schema/processing-schema.ts).
    if (column === `${of}_row`) return `CASE WHEN ${column} > 0 THEN ${column} + ${offset} ELSE ${column} END`
    if (table === of && column === 'row') return `row + ${offset}`
  }
  return `"${column}"`
}

/** A fingerprint begins with its sender's row number (submission-rows.ts). */
function arrivedFingerprint(offsets: ArrivalNumbers['offsets']): string {
  const [person, device] = [offsets.get('person'), offsets.get('device')]
  const digits = (number: string): string => `printf('%0${senderDigits}x', ${number})`
  const led = `substr(fingerprint, 1, ${senderDigits})`
  return `CASE WHEN ${led} = ${digits('person_row')} THEN ${digits(`person_row + ${person}`)}
    WHEN ${led} = ${digits('device_row')} THEN ${digits(`device_row + ${device}`)} ELSE ${led} END
    || substr(fingerprint, ${senderDigits + 1})`
}
