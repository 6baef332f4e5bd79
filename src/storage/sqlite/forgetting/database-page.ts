// A page as it is in the database's file (https://sqlite.org/fileformat2.html), read only to find what SQL cannot show:
// bytes that belong to no row.

interface LeafRow {
  rowid: number
  /** All of the row's values, also where some are on other pages. */
  payloadBytes: number
  /** What precedes the values. */
  prefixBytes: number
  /** What the row takes of this page. */
  cellBytes: number
}

const leafType = 0x0d
const leafHeaderBytes = 8
/** Header bytes of pages with a list of cells: inner pages and leaves of indexes and tables. */
const headerBytesOf: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, [leafType]: leafHeaderBytes }
/** The first page begins with the file's own header. */
const headerAt = (pageNumber: number): number => (pageNumber === 1 ? 100 : 0)

/** The bytes between a page's list of cells and the cells, in any tree; `null`: it is not such a page. */
export function gapOf(page: Buffer, number: number): Buffer | null {
  const at = headerAt(number)
  const headerBytes = headerBytesOf[page[at] ?? 0]
  if (headerBytes === undefined || page.length < at + headerBytes) return null
  const from = at + headerBytes + 2 * page.readUInt16BE(at + 3)
  const to = page.readUInt16BE(at + 5) || 65_536
  return from <= to && to <= page.length ? page.subarray(from, to) : null
}

/** The rows of a table's leaf; `null`: it is not one, or not in a consistent state. */
export function leafRows(page: Buffer, number: number): LeafRow[] | null {
  const at = headerAt(number)
  if (page[at] !== leafType) return null
  try {
    return Array.from({ length: page.readUInt16BE(at + 3) }, (_, index) =>
      rowAt(page, page.readUInt16BE(at + leafHeaderBytes + 2 * index)),
    )
  } catch (error) {
    // Damaged, or read during a write: its numbers point outside the page.
    if (error instanceof RangeError) return null
    throw error
  }
}

function rowAt(page: Buffer, cell: number): LeafRow {
  const payload = varint(page, cell)
  const key = varint(page, cell + payload.bytes)
  const prefixBytes = payload.bytes + key.bytes
  const cellBytes = prefixBytes + localBytes(payload.value, page.length)
  return { rowid: key.value, payloadBytes: payload.value, prefixBytes, cellBytes }
}

/** A longer payload is partly stored on other pages. */
export const localBytesMax = (pageBytes: number): number => pageBytes - 35

function localBytes(payloadBytes: number, pageBytes: number): number {
  if (payloadBytes <= localBytesMax(pageBytes)) return payloadBytes
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23
  const share = least + ((payloadBytes - least) % (pageBytes - 4))
  // Four bytes point to the continuation.
  return (share <= localBytesMax(pageBytes) ? share : least) + 4
}

/** How much of a table's leaf its rows can take, each with its entry in the list of cells. */
export const roomOf = (rows: readonly LeafRow[], pageBytes: number): number =>
  pageBytes - leafHeaderBytes - 2 * rows.length

function varint(page: Buffer, at: number): { value: number; bytes: number } {
  let value = 0
  for (let bytes = 1; bytes < 9; bytes++) {
    const byte = page.readUInt8(at + bytes - 1)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, bytes }
  }
  throw new RangeError('a number beyond any of ours')
}
