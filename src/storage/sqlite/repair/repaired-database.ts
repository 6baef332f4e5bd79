import type { Database } from 'bun:sqlite'
import type { StoredLedgerRow } from '../../../backup/format/increment-lines.ts'
import { isRecordOf } from '../../../ledger/record-shape.ts'
import { systemClock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { beyondRepair, type MissingRows, type RepairedDatabase } from '../../../operations/database/repair.ts'
import { type Connection, openConnection, openReader } from '../database/connection.ts'
import { storedJson, unlessDamaged } from '../database/damage.ts'
import { migrateDatabase, schemaState } from '../database/migrations.ts'
import { integrityFault } from '../database/verified-copy.ts'
import { checksumOf, type EntryRow, isAsCaptured, kindNames } from '../ledger/ledger-codec.ts'
import { noSettings } from '../lookup/account-row.ts'
import { ledgerBy } from '../lookup/ledger-tree.ts'
import { removeOrphans } from '../lookup/numbered-rows.ts'
import { readableRows, rowsByKey } from '../lookup/readable-rows.ts'
import { type DeclaredTable, tables } from '../schema/tables.ts'
import { ProcessingSteps } from '../steps/step.ts'
import { rescueRows, rescueSettings } from './rescued-accounts.ts'

interface RepairOptions {
  from: string
  /** A file that is not there yet. */
  to: string
  snapshotDir: string
  keepsChanged: boolean
}

/** Writes what can be read of one database into a new one. @throws OperatorError when nothing can be read */
export function repairDatabase({ from, to, snapshotDir, keepsChanged }: RepairOptions): RepairedDatabase {
  const reader = openedReader(from)
  const connection = openConnection(to)
  try {
    assertOfThisVersion(reader)
    migrateDatabase({ connection, snapshotDir, now: 0, assertAlone: () => {} })
    // Nothing reads the new database before it is whole.
    for (const pragma of ['synchronous = OFF', 'foreign_keys = OFF']) connection.raw.run(`PRAGMA ${pragma}`)
    return new Repair(reader.raw, connection).run(keepsChanged)
  } finally {
    reader.raw.close()
    connection.raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
    connection.raw.close()
  }
}

function openedReader(file: string): Connection {
  try {
    return openReader(file)
  } catch (error) {
    throw beyondRepair((error as Error).message)
  }
}

function assertOfThisVersion(reader: Connection): void {
  const { applied, known, fault } = unlessDamaged(
    () => schemaState(reader),
    (error) => {
      throw beyondRepair((error as Error).message)
    },
  )
  if (fault === null && applied === known) return
  throw new OperatorError(
    `${fault ?? 'An earlier version of capture wrote the database.'} Repair it with that version.`,
  )
}

const derived = tables.filter(({ is }) => is === 'derived')

class Repair {
  private missing: MissingRows[] = []
  private isDerivedDamaged = false

  constructor(
    private readonly from: Database,
    private readonly connection: Connection,
  ) {}

  run(keepsChanged: boolean): RepairedDatabase {
    const { raw } = this.connection
    for (const table of tables)
      if (table.name !== 'ledger' && table.is !== 'node') raw.transaction(() => this.copy(table))()
    const hasAllDomains = !this.missing.some(({ table }) => table === 'domain')
    const rescued = raw.transaction(() => rescueRows(this.from, raw, hasAllDomains))()
    this.missing = this.missing.flatMap((left) => lessRows(left, 'account', rescued))
    const withoutSettings = raw.transaction(() => rescueSettings(raw))()
    const ledger = raw.transaction(() => repairLedger(this.from, raw, keepsChanged))()
    if (ledger.missing !== null) this.missing.unshift(ledger.missing)
    raw.transaction(() => this.numberOn())()
    if (ledger.missing !== null) raw.transaction(() => this.dropDerivedOfMissing())()
    if (this.isDerivedDamaged) this.deriveAgain()
    raw.transaction(() => removeOrphans(raw))()
    const fault = integrityFault(raw)
    if (fault !== null) throw new Error(`the new database is faulty: ${fault}`)
    const { entries, changed } = ledger
    return { entries, changed, missing: this.missing, withoutSettings, isDerivedAgain: this.isDerivedDamaged }
  }

  private copy({ name, is, columns, json, isWithoutRowId }: DeclaredTable): void {
    const { raw } = this.connection
    const insert = raw.query(
      `INSERT OR IGNORE INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')})
       VALUES (${columns.map(() => '?').join(', ')})`,
    )
    const texts = json.map((column) => ({ ...column, at: columns.indexOf(column.name) }))
    // What stands for settings is replaced once all else is there.
    const standIn = name === 'account' ? noSettings : null
    let copied = 0
    let incomplete = 0
    let isWhole = true
    for (const row of (isWithoutRowId === true ? rowsByKey : readableRows)(this.from, { name, columns })) {
      const damaged = row === 'gap' ? [] : texts.filter(({ at }) => !isJson(row[at]))
      if (row === 'gap' || (standIn === null && damaged.some(({ mayBeNull }) => !mayBeNull))) {
        isWhole = false
        continue
      }
      for (const { at } of damaged) row[at] = standIn
      if (damaged.length > 0 && standIn === null) incomplete++
      // A new database begins with rows that the first readable one replaces.
      if (copied === 0) raw.run(`DELETE FROM "${name}"`)
      copied += insert.run(...row).changes
    }
    const rows = countOf(this.from, `"${name}"`)
    if (isWhole && incomplete === 0 && (rows ?? copied) <= copied) return
    if (is === 'derived') this.isDerivedDamaged = true
    else {
      const lost = rows === null ? null : Math.max(0, rows - copied) + incomplete
      this.missing.push({ table: name, rows: lost, between: [], ids: [] })
    }
  }

  /** No number of a record that is missing is given again. */
  private numberOn(): void {
    const { raw } = this.connection
    const seqOf = 'SELECT seq FROM sqlite_sequence WHERE name = ?'
    const seq = raw.query<{ seq: number }, [string]>(seqOf)
    for (const { name } of raw.query<{ name: string }, []>('SELECT name FROM sqlite_sequence').all()) {
      const before = unlessDamaged(
        () => this.from.query<{ seq: number }, [string]>(seqOf).get(name)?.seq,
        () => undefined,
      )
      const cursor = raw.query<{ cursor: number }, []>('SELECT cursor FROM processing').get()?.cursor ?? 0
      const last = Math.max(before ?? 0, seq.get(name)?.seq ?? 0, name === 'ledger' ? cursor : 0)
      raw.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', [last, name])
    }
  }

  /** What was counted of missing records stays, as of expired ones. */
  private dropDerivedOfMissing(): void {
    const { raw } = this.connection
    for (const { name, perEntry } of derived) {
      if (perEntry?.includes('sequence'))
        raw.run(`DELETE FROM "${name}" WHERE sequence NOT IN (SELECT sequence FROM ledger)`)
    }
  }

  /** Processes all records again. What was delivered is not delivered again. */
  private deriveAgain(): void {
    const { raw } = this.connection
    raw.transaction(() => {
      const newest =
        raw.query<{ seq: number }, []>(`SELECT seq FROM sqlite_sequence WHERE name = 'ledger'`).get()?.seq ?? 0
      const processed = raw.query<{ cursor: number }, []>('SELECT cursor FROM processing').get()?.cursor || newest
      for (const { name } of derived) raw.run(`DELETE FROM "${name}"`)
      raw.run('INSERT INTO processing (id, cursor) VALUES (1, 0)')
      raw.run('DELETE FROM delivered_elsewhere')
      if (processed > 0)
        raw.run('INSERT INTO delivered_elsewhere (last_sequence, first_sequence) VALUES (?, 1)', [processed])
      raw.run(
        `INSERT INTO receipt_hour (hour, first_sequence)
         SELECT received_at / 3600000, min(sequence) FROM ledger GROUP BY 1`,
      )
      if (newest > (raw.query<{ n: number }, []>('SELECT count(*) AS n FROM ledger').get()?.n ?? 0))
        this.missing.push({ table: 'day_figure', rows: null, between: [], ids: [] })
    })()
    const steps = new ProcessingSteps(this.connection, systemClock)
    while (steps.run(100) === 'more');
  }
}

/** What is missing once some rows of the table have been found elsewhere. */
function lessRows(missing: MissingRows, table: string, found: number): MissingRows[] {
  const { rows } = missing
  if (missing.table !== table || rows === null) return [missing]
  return rows > found ? [{ ...missing, rows: rows - found }] : []
}

function isJson(stored: unknown): boolean {
  if (stored === null) return true
  try {
    storedJson(String(stored))
    return true
  } catch {
    return false
  }
}

/** Whatever tree SQLite counts by; `null`: it cannot be read. */
const countOf = (raw: Database, table: string): number | null =>
  unlessDamaged(
    () => raw.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? null,
    () => null,
  )

const gapsMax = 20
const idsMax = 20

const columns = ['sequence', 'account_row', 'kind', 'id', 'received_at', 'record', 'checksum']

interface Gap {
  /** Numbers of the nearest readable rows, and their receipt. */
  first: number
  last: number
  after: number | null
  before: number | null
}

/** Copies the entries of the ledger that are as they were captured. The accounts must be there. */
function repairLedger(
  from: Database,
  to: Database,
  keepsChanged: boolean,
): Pick<RepairedDatabase, 'entries' | 'changed'> & { missing: MissingRows | null } {
  const accounts = new Map(to.query('SELECT row, id FROM account').values() as [number, string][])
  const insert = to.query(`INSERT OR IGNORE INTO ledger (${columns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const gaps: Gap[] = []
  const changed: string[] = []
  const leftOut: string[] = []
  let entries = 0
  let last: { sequence: number; receivedAt: number } | null = null
  let open: Gap | null = null
  for (const read of readableRows(from, { name: 'ledger', columns })) {
    if (read === 'gap') {
      open = {
        first: last?.sequence ?? 0,
        last: Number.MAX_SAFE_INTEGER,
        after: last?.receivedAt ?? null,
        before: null,
      }
      gaps.push(open)
      continue
    }
    const [sequence, accountRow, kind, id, receivedAt, record, checksum] = read as StoredLedgerRow
    const row: EntryRow = { kind, id, receivedAt, record, checksum }
    const accountId = accounts.get(accountRow)
    const isSound = accountId !== undefined && isAsCaptured(row, accountId)
    const isKept = !isSound && keepsChanged && accountId !== undefined && isRecord(row)
    if (!isSound && !isKept) {
      if (leftOut.length < idsMax) leftOut.push(String(id))
      continue
    }
    if (isKept) changed.push(id)
    const sound = isKept ? checksumOf(row, accountId) : checksum
    entries += insert.run(sequence, accountRow, kind, id, receivedAt, record, sound).changes
    last = { sequence, receivedAt }
    if (open !== null) Object.assign(open, { last: sequence, before: receivedAt })
    open = null
  }
  // By an index, whose tree may be sound.
  const rows = countOf(from, ledgerBy.account)
  if (gaps.length === 0 && leftOut.length === 0 && (rows ?? entries) <= entries)
    return { entries, missing: null, changed }
  const ids = [...leftOut, ...gaps.slice(0, gapsMax).flatMap((gap) => submissionIds(from, gap))]
  const missing: MissingRows = {
    table: 'ledger',
    rows: rows === null ? null : rows - entries,
    between: gaps.slice(0, gapsMax).map(({ after, before }) => ({ after, before })),
    ids: ids.slice(0, idsMax),
  }
  return { entries, missing, changed }
}

/** Whether what a disk has changed still has the shape of such an entry. */
function isRecord({ kind, record }: EntryRow): boolean {
  const name = kindNames.get(kind)
  try {
    return name !== undefined && isRecordOf(name, JSON.parse(record))
  } catch {
    return false
  }
}

const submissionIds = (raw: Database, { first, last }: Gap): string[] =>
  unlessDamaged(
    () =>
      raw
        .query<{ id: unknown }, [number, number]>(
          `SELECT id FROM ${ledgerBy.submissionId} WHERE kind = 1 AND sequence > ? AND sequence < ? LIMIT ${idsMax}`,
        )
        .all(first, last)
        .map(({ id }) => String(id)),
    () => [],
  )
