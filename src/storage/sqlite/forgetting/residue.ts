import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { passingDamage } from '../salvage/damage.ts'
import type { DatabaseFile } from './database-file.ts'
import { cellBytesOf, childPages, fitsLocally, gapOf, type LeafPage, leafPage, varintBytes } from './raw-pages.ts'

/**
 * Residue: copies of rows that SQLite leaves in a page's free bytes when it moves rows to another page, and that
 * `secure_delete` does not clear. They must go when the row itself is erased.
 */

/**
 * Tables of what visitors sent, or of what console users wrote about it, each with a text column that is in no index.
 */
const tables = [
  { name: 'ledger', column: 'record' },
  { name: 'person', column: 'traits' },
  { name: 'device_traits', column: 'traits' },
  { name: 'submission_fact', column: 'page_slug' },
  { name: 'click_fact', column: 'url' },
  { name: 'submission_note', column: 'text' },
  { name: 'saved_filter', column: 'query' },
] as const
type Table = (typeof tables)[number]

/**
 * A gap may begin with old entries of the list of rows, which are numbers; and a page with one row cannot be filled to
 * the last byte.
 */
const harmlessBytes = 32
/** Pages cleared in one transaction: about 5 ms. */
const pagesPerStep = 32
/** A page that a server changes meanwhile is examined again. */
const roundsMax = 8

interface Residue {
  table: Table
  page: number
}

/**
 * Clears the free bytes of every page of those tables; returns how many pages still contain something. `emptyLog` moves
 * the changes into the file.
 */
export async function clearResidue(
  connection: Connection,
  file: DatabaseFile,
  emptyLog: () => Promise<boolean>,
): Promise<number> {
  await emptyLog()
  let left = await findResidue(connection, file)
  for (let round = 0; round < roundsMax && left.length > 0; round++) {
    for (let from = 0; from < left.length; ) {
      from += passingDamage(left.slice(from, from + pagesPerStep), (some) => clearPages(connection, file, some))
      await breath()
    }
    await emptyLog()
    left = left.filter(({ page }) => hasResidue(file.page(page, file.pageBytes), page))
  }
  return left.length
}

async function findResidue(connection: Connection, file: DatabaseFile): Promise<Residue[]> {
  const found: Residue[] = []
  for (const table of tables) {
    for await (const page of leaves(file, rootOf(connection, table.name))) {
      if (page.hasResidue) found.push({ table, page: page.number })
    }
  }
  return found
}

const rootOf = ({ raw }: Connection, table: string): number =>
  raw
    .query<{ root: number }, [string]>(`SELECT rootpage AS root FROM sqlite_schema WHERE type = 'table' AND name = ?`)
    .get(table)?.root ?? 0

/** Pages examined before others get their turn. */
const pagesPerTurn = 4096

async function* leaves(file: DatabaseFile, root: number): AsyncGenerator<{ number: number; hasResidue: boolean }> {
  const { pageBytes } = file
  const waiting = [root]
  // A damaged page may refer back to its parents.
  const pages = file.byteCount / pageBytes
  for (
    let looked = 0, number = waiting.pop();
    number !== undefined && looked < pages;
    number = waiting.pop(), looked++
  ) {
    const page = file.page(number, pageBytes)
    const children = page.length === pageBytes ? childPages(page, number) : []
    if (children === null) yield { number, hasResidue: hasResidue(page, number) }
    else waiting.push(...children)
    if (looked % pagesPerTurn === 0) await Bun.sleep(0)
  }
}

function hasResidue(page: Buffer, number: number): boolean {
  const gap = gapOf(page, number)
  if (gap === null) return false
  const { from, to } = gap
  return page.subarray(Math.min(from + harmlessBytes, to), to).some((byte) => byte !== 0)
}

function clearPages(connection: Connection, file: DatabaseFile, residues: readonly Residue[]): number {
  connection.db.transaction(
    () => {
      for (const { table, page } of residues) {
        const leaf = leafPage(file.page(page, file.pageBytes), page)
        if (leaf !== null) fillOnce(connection, { table, leaf, pageBytes: file.pageBytes })
      }
    },
    { behavior: 'immediate' },
  )
  return residues.length
}

interface Filling {
  table: Table
  leaf: LeafPage
  pageBytes: number
}

/**
 * Makes one row long enough to fill its page and restores its length, in one transaction: SQLite either overwrites the
 * gap or compacts the rows, which clears it.
 */
function fillOnce({ raw }: Connection, { table, leaf, pageBytes }: Filling): void {
  const shortest = leaf.rows.toSorted((one, other) => one.cellBytes - other.cellBytes)[0]
  if (shortest === undefined) return
  const { rowid, payloadBytes } = shortest
  const content = raw
    .query<{ text: string | null; bytes: number | null }, [number]>(
      `SELECT ${table.column} AS text, octet_length(${table.column}) AS bytes FROM ${table.name} WHERE rowid = ?`,
    )
    .get(rowid)
  if (content === null) return
  const room = shortest.cellBytes + leaf.freeBytes
  const bytes = fillingBytes({ payloadBytes, rowid, textBytes: content.bytes, room, pageBytes })
  if (bytes === null) return
  const set = raw.query(`UPDATE ${table.name} SET ${table.column} = ? WHERE rowid = ?`)
  set.run(' '.repeat(bytes), rowid)
  set.run(content.text, rowid)
}

interface Row {
  payloadBytes: number
  rowid: number
  /** `null`: the page has none. */
  textBytes: number | null
  /** The wanted size of its cell in bytes. */
  room: number
  pageBytes: number
}

/** How long the row's text must be for its cell to take the space; `null`: impossible. */
function fillingBytes({ payloadBytes, rowid, textBytes, room, pageBytes }: Row): number | null {
  const others = payloadBytes - (textBytes ?? 0) - headerBytes(textBytes)
  for (let bytes = room; bytes > 0; bytes--) {
    const filled = others + bytes + headerBytes(bytes)
    if (fitsLocally(filled, pageBytes) && cellBytesOf(filled, rowid, pageBytes) <= room) return bytes
  }
  return null
}

/** How a row's header encodes a text's length. */
const headerBytes = (textBytes: number | null): number => (textBytes === null ? 1 : varintBytes(2 * textBytes + 13))
