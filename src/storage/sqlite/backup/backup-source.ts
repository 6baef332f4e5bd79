import type { Database } from 'bun:sqlite'
import type { IncrementLine, StateRows } from '../../../backup/format/increment-lines.ts'
import { type BackupSource, type CopiedDatabase, type Sight, Spool, type StateMemory } from '../../../backup/source.ts'
import { boxIdOf, readBoxId, readRevision } from '../account/revision.ts'
import { type Connection, openConnection, openReader } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { type NumberedRow, numberedTable, storedRow } from '../lookup/numbered-rows.ts'
import { pagesAfter } from '../lookup/pages.ts'
import { processedTo } from '../processing/processed-to.ts'
import { stateTables } from '../schema/tables.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'
import { hasErasures, lastPosition, ledgerPages, openCopy, sealKeyBeside } from './database-copies.ts'

/** Copies and verifies a database on a thread of its own. */
export type DatabaseCopier = (databaseFile: string, copy: string, signal: AbortSignal) => Promise<void>

export class SqliteBackupSource implements BackupSource {
  private readonly reader: Connection
  readonly schema: number

  constructor(
    private readonly databaseFile: string,
    private readonly copier: DatabaseCopier,
  ) {
    this.reader = openReader(databaseFile)
    this.schema = schemaState(this.reader).applied
  }

  boxId(): string {
    return readBoxId(this.reader) ?? makeBoxId(this.databaseFile)
  }

  version(): number {
    return this.reader.raw.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version ?? 0
  }

  look(since: StateMemory | null | 'skip'): Sight {
    const { raw } = this.reader
    return raw.transaction(() => ({
      to: lastPosition(raw),
      processed: processedTo({ raw }),
      revision: readRevision(this.reader),
      files: lastFile(raw),
      state: since === 'skip' ? null : scanState(raw, since),
    }))()
  }

  entries(from: number, to: number) {
    return ledgerPages(this.reader.raw, from, to)
  }

  hasErasures(from: number, to: number): boolean {
    return hasErasures(this.reader.raw, from, to)
  }

  hashes(): Iterable<string> {
    return referencedHashes(this.reader)
  }

  fileHashes(after: number): Iterable<string> {
    return fileHashes(this.reader.raw, after)
  }

  async copyTo(file: string, signal: AbortSignal): Promise<CopiedDatabase> {
    await this.copier(this.databaseFile, file, signal)
    return openCopy(file, sealKeyBeside(this.databaseFile))
  }

  close(): void {
    this.reader.raw.close()
  }
}

const lastFile = (raw: Database): number =>
  raw.query<{ last: number | null }, []>('SELECT max(row) AS last FROM submission_file').get()?.last ?? 0

const filesPerPage = 500

function* fileHashes(raw: Database, after: number): Generator<string> {
  const page = raw.query<{ row: number; sha256: string }, [number]>(
    `SELECT row, sha256 FROM submission_file WHERE row > ? ORDER BY row LIMIT ${filesPerPage}`,
  )
  for (const rows of pagesAfter(
    after,
    (last) => page.all(last),
    ({ row }) => row,
  ))
    yield* rows.map(({ sha256 }) => sha256)
}

function makeBoxId(databaseFile: string): string {
  const connection = openConnection(databaseFile)
  try {
    return boxIdOf(connection)
  } finally {
    connection.raw.close()
  }
}

/**
 * Rows are compared and sent in ranges of so many row numbers: few unchanged rows are sent along, and few hashes are
 * kept.
 */
const rangeRows = 64

/** Compares the state tables with what the last scan remembers. Call inside a transaction. */
function scanState(raw: Database, since: StateMemory | null): NonNullable<Sight['state']> {
  const lines = new Spool()
  const memory = new Map<string, ReadonlyMap<number, bigint>>()
  if (since === null) lines.add(lineText({ tables: stateTables }))
  for (const table of stateTables) memory.set(table, scanTable(raw, table, since?.get(table) ?? new Map(), lines))
  return { lines, memory }
}

function scanTable(
  raw: Database,
  table: string,
  known: ReadonlyMap<number, bigint>,
  lines: Spool,
): ReadonlyMap<number, bigint> {
  const found = new Map<number, bigint>()
  const { columns, pages } = numberedTable(raw, table)
  const send = (range: number, rows: StateRows['rows']): void => {
    const first = range * rangeRows
    lines.add(lineText({ table, columns, first, last: first + rangeRows - 1, rows }))
  }
  for (const { range, rows } of rangesOf(pages())) {
    const stored = rows.map(storedRow)
    const hash = BigInt(Bun.hash(JSON.stringify(stored)))
    found.set(range, hash)
    if (known.get(range) !== hash) send(range, stored)
  }
  for (const range of known.keys()) if (!found.has(range)) send(range, [])
  return found
}

/** The rows of each range, in order; ranges without rows are left out. */
function* rangesOf(pages: Iterable<NumberedRow[]>): Generator<{ range: number; rows: NumberedRow[] }> {
  let range = Number.NaN
  let rows: NumberedRow[] = []
  for (const page of pages) {
    for (const row of page) {
      const own = Math.floor(row[0] / rangeRows)
      if (own !== range && rows.length > 0) yield { range, rows }
      if (own !== range) rows = []
      range = own
      rows.push(row)
    }
  }
  if (rows.length > 0) yield { range, rows }
}

const lineText = (line: IncrementLine): string => `${JSON.stringify(line)}\n`
