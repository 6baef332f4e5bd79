import type { Clock } from '../../../lib/clock.ts'
import { type Connection, openReader } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { tables } from '../schema/tables.ts'
import type { Spellings } from './address-spellings.ts'
import type { DatabaseFile } from './database-file.ts'
import { gapOf, leafRows, localBytesMax, roomOf } from './database-page.ts'

/**
 * Residue: copies of rows that SQLite leaves in a page's free bytes when it moves rows to another page, and that
 * `secure_delete` does not clear. They must go when the row itself is erased.
 */

/** Tables with a text column that is in no index. */
const erasable = tables.flatMap(({ name, erasedText }) =>
  erasedText === undefined ? [] : [{ name, column: erasedText }],
)

/**
 * A gap may begin with old entries of the list of rows, which are numbers; and a page with one row cannot be filled to
 * the last byte.
 */
const harmlessBytes = 32
/** By how much a row may grow beyond its text: its length and that of the text are written in more bytes. */
const growthBytesMax = 4
/** Pages examined before others get their turn. */
const pagesPerTurn = 4096
/** Pages cleared in one transaction: about 5 ms. */
const pagesPerStep = 32
/** A page that a server changes meanwhile is examined again. */
const roundsMax = 8

interface Residue {
  table: (typeof erasable)[number]
  page: number
}

/** Clears the free bytes of every page of those tables. `emptyLog` moves the changes into the file. */
export async function clearResidue(
  connection: Connection,
  file: DatabaseFile,
  emptyLog: () => Promise<boolean>,
): Promise<void> {
  await emptyLog()
  let left = await findResidue(connection, file)
  for (let round = 0; round < roundsMax && left.length > 0; round++) {
    for (let from = 0; from < left.length; from += pagesPerStep) {
      const step = left.slice(from, from + pagesPerStep)
      writeTransaction(connection, () => {
        for (const residue of step) fillOnce(connection, file, residue)
      })
      await breath()
    }
    await emptyLog()
    left = left.filter(({ page }) => hasResidue(file, page))
  }
}

async function findResidue(connection: Connection, file: DatabaseFile): Promise<Residue[]> {
  const found: Residue[] = []
  let looked = 0
  // A connection cannot write while a walk of its own is under way and another one has written.
  const walker = openReader(connection.raw.filename)
  try {
    for (const table of erasable) {
      for (const page of leafPages(walker, table.name)) {
        if (hasResidue(file, page)) found.push({ table, page })
        if (++looked % pagesPerTurn === 0) await Bun.sleep(0)
      }
    }
  } finally {
    walker.raw.close()
  }
  return found
}

/** The numbers of the pages on which a table's rows begin, as SQLite's own walk of the tree finds them (dbstat). */
function* leafPages({ raw }: Pick<Connection, 'raw'>, table: string): Generator<number> {
  const pages = raw.query<{ number: number }, [string]>(
    `SELECT pageno AS number FROM dbstat WHERE name = ? AND pagetype = 'leaf'`,
  )
  for (const { number } of pages.iterate(table)) yield number
}

function hasResidue(file: DatabaseFile, number: number): boolean {
  const gap = gapOf(file.page(number), number)
  return gap?.subarray(harmlessBytes).some((byte) => byte !== 0) ?? false
}

/**
 * Makes one row long enough to fill its page and restores its length, in one transaction: SQLite either overwrites the
 * gap or compacts the rows, which clears it.
 */
function fillOnce({ raw }: Connection, file: DatabaseFile, { table, page: number }: Residue): void {
  const page = file.page(number)
  const rows = leafRows(page, number) ?? []
  const [row, ...others] = rows.toSorted((one, other) => one.cellBytes - other.cellBytes)
  if (row === undefined) return
  const { rowid, payloadBytes, prefixBytes } = row
  const found = raw
    .query<{ text: string | null; bytes: number | null }, [number]>(
      `SELECT ${table.column} AS text, octet_length(${table.column}) AS bytes FROM ${table.name} WHERE rowid = ?`,
    )
    .get(rowid)
  if (found === null) return
  const taken = others.reduce((sum, { cellBytes }) => sum + cellBytes, prefixBytes)
  const room = Math.min(roomOf(rows, page.length) - taken, localBytesMax(page.length))
  const bytes = room - (payloadBytes - (found.bytes ?? 0)) - growthBytesMax
  if (bytes <= 0) return
  const set = raw.query(`UPDATE ${table.name} SET ${table.column} = ? WHERE rowid = ?`)
  set.run(' '.repeat(bytes), rowid)
  set.run(found.text, rowid)
}

const pagesPerRead = 256

/**
 * Whether bytes of the database's file that belong to no row contain it. Freed pages and rows are zeros
 * (`secure_delete`); the rest of a page's free bytes is its gap.
 */
export async function hasLeftovers(file: DatabaseFile, spellings: Spellings): Promise<boolean> {
  const { pageBytes, byteCount } = file
  const { hints } = spellings
  if (hints.length === 0) return false
  // Decoding and normalising everything would take long.
  const mayContain = (bytes: Buffer) => {
    const text = bytes.toString('latin1').toLowerCase()
    return hints.some((hint) => text.includes(hint))
  }
  for (let from = 0; from < byteCount; from += pagesPerRead * pageBytes) {
    const bytes = file.read(from, pagesPerRead * pageBytes)
    if (mayContain(bytes)) {
      for (let at = 0; at < bytes.length; at += pageBytes) {
        const page = bytes.subarray(at, at + pageBytes)
        const gap = gapOf(page, (from + at) / pageBytes + 1)
        if (gap !== null && mayContain(gap) && spellings.standsIn(gap.toString())) return true
      }
    }
    await Bun.sleep(0)
  }
  return false
}

/** How long to wait for readers that hold the log, in milliseconds: an export of a large account takes some seconds. */
const waitMsMax = 15_000
const lookMs = 20
/** How long one attempt may keep a server's captures waiting for the write lock. */
const triedMs = 10

/**
 * Moves the write-ahead log into the database's file and empties it, so that no earlier state of a page is left in it.
 * Returns whether that succeeded: a permanent reader prevents it.
 */
export async function emptyLog({ raw }: Connection, clock: Clock): Promise<boolean> {
  const { timeout } = raw.query<{ timeout: number }, []>('PRAGMA busy_timeout').get() ?? { timeout: 0 }
  const deadlineMs = clock.monotonicMs() + waitMsMax
  raw.run(`PRAGMA busy_timeout = ${triedMs}`)
  try {
    for (;;) {
      // Most of the work, without keeping anybody waiting.
      raw.query('PRAGMA wal_checkpoint(PASSIVE)').get()
      const outcome = raw.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()
      if (outcome?.busy === 0) return true
      if (clock.monotonicMs() > deadlineMs) return false
      await Bun.sleep(lookMs)
    }
  } finally {
    raw.run(`PRAGMA busy_timeout = ${timeout}`)
  }
}
