import type { Database } from 'bun:sqlite'
import type { IncrementLine, StateRows, StoredLedgerRow } from '../../../backup/format/increment-lines.ts'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import { UnreadableEntry } from '../../../ledger/ledger.ts'
import type { Replay, ReplayedRange } from '../../../operations/backup/backup-ports.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { integrityFault } from '../database/verified-copy.ts'
import { decisionKinds, decodeDecision, type EntryRow } from '../ledger/ledger-codec.ts'
import { numberedWrites, readRow, removeOrphans } from '../lookup/numbered-rows.ts'
import { assertOurs } from './box-databases.ts'

/**
 * Puts increments into a staged copy of a base. Processing makes the rest of the entries that are new in it.
 *
 * @throws Error with a message that completes "The base …", when the copy is damaged or not from Capture
 */
export function openReplay(file: string): Replay {
  const connection = openConnection(file)
  try {
    const fault = integrityFault(connection.raw)
    if (fault !== null) throw new Error(`is damaged: ${fault}`)
    assertOurs(connection)
    return new SqliteReplay(connection)
  } catch (error) {
    connection.raw.close()
    throw error
  }
}

class SqliteReplay implements Replay {
  private readonly raw: Database
  private readonly writes: ReturnType<typeof numberedWrites>
  private readonly tables: ReadonlySet<string>
  private readonly addEntry: ReturnType<typeof prepareAddEntry>

  constructor(private readonly connection: Connection) {
    const { raw } = connection
    this.raw = raw
    // Tables come in any order, and entries that a row refers to may be gone.
    raw.run('PRAGMA foreign_keys = 0')
    this.writes = numberedWrites(raw)
    this.tables = new Set(tableNames(raw))
    this.addEntry = prepareAddEntry(raw)
  }

  async put(lines: AsyncIterable<IncrementLine>, { behind, withState }: { behind: number; withState: boolean }) {
    this.raw.run('BEGIN IMMEDIATE')
    try {
      for await (const line of lines) {
        if ('ledger' in line) this.putEntries(line.ledger, behind)
        else if (withState && 'tables' in line) for (const table of line.tables) this.empty(table)
        else if (withState && 'rows' in line) this.putRows(line)
      }
      this.raw.run('COMMIT')
    } catch (error) {
      this.raw.run('ROLLBACK')
      throw error
    }
  }

  end({ base, last }: ReplayedRange): void {
    const { raw, connection } = this
    connection.db.transaction(() => {
      removeOrphans(raw)
      raw.query('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(last.to, 'ledger')
      raw
        .query(
          `INSERT INTO receipt_hour (hour, first_sequence)
           SELECT received_at / 3600000, min(sequence) FROM ledger WHERE sequence > ? GROUP BY 1 ON CONFLICT DO NOTHING`,
        )
        .run(base.to)
      if (last.processed <= base.processed) return
      raw
        .query('INSERT OR REPLACE INTO delivered_elsewhere (last_sequence, first_sequence) VALUES (?, ?)')
        .run(last.processed, base.processed + 1)
    })
  }

  erasuresIn(rows: readonly StoredLedgerRow[]): ErasureEntry[] {
    const accountId = this.raw.query<{ id: string }, [number]>('SELECT id FROM account WHERE row = ?')
    return rows.flatMap(([_sequence, accountRow, kind, id, receivedAt, record, checksum]) => {
      const account = kind === decisionKinds.erasure ? accountId.get(accountRow) : null
      const entry = account && erasureOf({ kind, id, receivedAt, record, checksum }, account.id)
      return entry ? [entry] : []
    })
  }

  close(): void {
    this.raw.close()
  }

  /** Entries that the base had and has no more were removed. */
  private putEntries(rows: StoredLedgerRow[], behind: number): void {
    for (const row of rows) if (row[0] > behind) this.addEntry.run(...row)
  }

  private empty(table: string): void {
    this.raw.run(`DELETE FROM "${this.known(table)}"`)
  }

  private putRows({ table, columns, first, last, rows }: StateRows): void {
    this.writes.remove(this.known(table), first, last)
    for (const row of rows) this.writes.put(table, columns, readRow(row))
  }

  private known(table: string): string {
    if (!this.tables.has(table)) throw new TypeError('a table that no box has')
    return table
  }
}

/** `null`: it is another account's of the same number, in another history, or cannot be read. */
function erasureOf(row: EntryRow, accountId: string): ErasureEntry | null {
  try {
    const decision = decodeDecision(row, accountId)
    return decision.kind === 'erasure' ? decision : null
  } catch (error) {
    if (error instanceof UnreadableEntry) return null
    throw error
  }
}

/** All tables but SQLite's own: the base may have another version's. */
const tableNames = (raw: Database): string[] =>
  raw
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'`,
    )
    .all()
    .map(({ name }) => name)

const prepareAddEntry = (raw: Database) =>
  raw.query<null, StoredLedgerRow>(
    `INSERT OR IGNORE INTO ledger (sequence, account_row, kind, id, received_at, record, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
