import { type BackupTarget, ObjectFault } from '../target/backup-target.ts'
import { type BundleHeader, type Head, readBundle, readHead } from './bundle.ts'
import type { DataKeys } from './sealing.ts'

/**
 * The body of an increment: lines of JSON. `tables` comes before all rows of tables, `end` is last.
 *
 * 1. `{"tables":[…]}` in the first of a chain: the tables of the state. Empty them before you insert what follows.
 * 2. `{"ledger":[[…],…]}` any number of times: rows of the ledger in order of commit, as `ledgerColumns` says.
 * 3. `{"table":…,"columns":[…],"first":…,"last":…,"rows":[[…],…]}` any number of times: all rows of a table from row number
 *    `first` to `last` as they are now. They replace the rows that were there; no rows means that there are none.
 * 4. `{"end":true}`
 *
 * The erasures beside a base have only lines of kinds 2 and 4.
 */
export type IncrementLine = { tables: string[] } | { ledger: StoredLedgerRow[] } | StateRows | { end: true }

/** sequence, account_row, kind, id, received_at, record, checksum */
export type StoredLedgerRow = [number, number, number, string, number, string, number]

export interface StateRows {
  table: string
  /** All columns except an alias of the row number. */
  columns: string[]
  /** Row numbers, SQLite's `rowid`. */
  first: number
  last: number
  /** Each row's number, then its columns. */
  rows: [row: number, ...values: StoredValue[]][]
}

/** Bytes are in base64. */
export type StoredValue = null | number | string | { bytes: string }

/** Lines of an increment's bytes. @throws SyntaxError for invalid lines */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<IncrementLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let isEnded = false
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const read = JSON.parse(line) as IncrementLine
      isEnded = 'end' in read
      yield read
    }
  }
  if (!isEnded || rest !== '') throw new SyntaxError('the lines do not come to their end')
}

/** Pages of the ledger as lines of an increment, with the line that ends it. */
export function* ledgerLines(pages: Iterable<StoredLedgerRow[]>): Generator<Uint8Array> {
  const encoded = (line: IncrementLine): Uint8Array => new TextEncoder().encode(`${JSON.stringify(line)}\n`)
  for (const ledger of pages) yield encoded({ ledger })
  yield encoded({ end: true })
}

/** Where bundles are read from, and the keys that decrypt them. */
export interface Source {
  target: BackupTarget
  keys: DataKeys
}

/** The lines of an increment, or of the erasures beside a base. @throws ObjectFault, WrongIdentity, TargetFault */
export async function* linesOf({ target, keys }: Source, name: string, head: Head): AsyncGenerator<IncrementLine> {
  try {
    yield* readLines(readBundle(target, name, { head, keys }))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new ObjectFault(name, 'is damaged: its lines cannot be read')
    throw error
  }
}

/** Rows of the ledger in a bundle: an increment, or the erasures beside a base. */
export async function* ledgerRowsOf(source: Source, name: string): AsyncGenerator<StoredLedgerRow[]> {
  const kind: BundleHeader['kind'] = name.startsWith('increments/') ? 'increment' : 'list'
  const head = await readHead(source.target, name, kind)
  for await (const line of linesOf(source, name, head)) if ('ledger' in line) yield line.ledger
}
