/**
 * The pages of an SQLite database as they are in its file (https://sqlite.org/fileformat2.html), seen from outside.
 * Only reads, and only to find what SQL cannot show: bytes that belong to no row.
 */

/** A leaf of a table: a list of rows, a gap, and the rows themselves. */
export interface LeafPage {
  number: number
  rows: { rowid: number; payloadBytes: number; cellBytes: number }[]
  /** Begin and end of the gap. */
  gap: { from: number; to: number }
  /** All free bytes, including those between rows. */
  freeBytes: number
}

/** A longer payload of a row is partly stored on other pages; the leaf's share is between these two. */
const localBytesMax = (pageBytes: number): number => pageBytes - 35
const localBytesMin = (pageBytes: number): number => Math.floor(((pageBytes - 12) * 32) / 255) - 23

const leafType = 0x0d
const interiorType = 0x05
const leafHeaderBytes = 8
const interiorHeaderBytes = 12
/** The first page begins with the file's own header. */
const headerAt = (pageNumber: number): number => (pageNumber === 1 ? 100 : 0)

/** Header bytes of pages with a list of cells: inner pages and leaves of indexes and tables. */
const headerBytesOf: Readonly<Record<number, number>> = { 2: 12, [interiorType]: 12, 10: 8, [leafType]: 8 }

/** The gap of a page of any tree; `null`: it is not such a page. */
export function gapOf(page: Buffer, number: number): LeafPage['gap'] | null {
  const at = headerAt(number)
  const headerBytes = headerBytesOf[page[at] ?? 0]
  if (headerBytes === undefined || page.length < at + headerBytes) return null
  const from = at + headerBytes + 2 * page.readUInt16BE(at + 3)
  const to = page.readUInt16BE(at + 5) || 65_536
  return from <= to && to <= page.length ? { from, to } : null
}

/** The child pages of an inner page of a table's tree; `null`: it is not one, or is damaged. */
export function childPages(page: Buffer, number: number): number[] | null {
  return unlessOutOfPage(() => parseChildren(page, number))
}

function parseChildren(page: Buffer, number: number): number[] | null {
  const at = headerAt(number)
  if (page[at] !== interiorType) return null
  const cells = page.readUInt16BE(at + 3)
  const children = Array.from({ length: cells }, (_, index) => {
    const cell = page.readUInt16BE(at + interiorHeaderBytes + 2 * index)
    return page.readUInt32BE(cell)
  })
  return [...children, page.readUInt32BE(at + 8)]
}

/** The page as a table's leaf; `null`: it is not one, or not in a consistent state. */
export function leafPage(page: Buffer, number: number): LeafPage | null {
  return unlessOutOfPage(() => parseLeaf(page, number))
}

function unlessOutOfPage<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch (error) {
    // Damaged, or read during a write: its numbers point outside the page.
    if (error instanceof RangeError) return null
    throw error
  }
}

function parseLeaf(page: Buffer, number: number): LeafPage | null {
  const at = headerAt(number)
  if (page[at] !== leafType) return null
  const gap = gapOf(page, number)
  if (gap === null) return null
  const cells = page.readUInt16BE(at + 3)
  const rows = Array.from({ length: cells }, (_, index) =>
    rowAt(page, page.readUInt16BE(at + leafHeaderBytes + 2 * index)),
  )
  const fragments = page.readUInt8(at + 7)
  return { number, rows, gap, freeBytes: gap.to - gap.from + fragments + freeBlockBytes(page, at) }
}

function freeBlockBytes(page: Buffer, at: number): number {
  let bytes = 0
  for (let block = page.readUInt16BE(at + 1); block !== 0; ) {
    bytes += page.readUInt16BE(block + 2)
    const next = page.readUInt16BE(block)
    // Their order is that of the page.
    if (next !== 0 && next <= block) throw new RangeError('free blocks go back')
    block = next
  }
  return bytes
}

function rowAt(page: Buffer, cell: number): LeafPage['rows'][number] {
  const payload = varint(page, cell)
  const key = varint(page, cell + payload.bytes)
  const cellBytes = payload.bytes + key.bytes + localBytes(payload.value, page.length)
  return { rowid: key.value, payloadBytes: payload.value, cellBytes }
}

function localBytes(payloadBytes: number, pageBytes: number): number {
  if (payloadBytes <= localBytesMax(pageBytes)) return payloadBytes
  const least = localBytesMin(pageBytes)
  const share = least + ((payloadBytes - least) % (pageBytes - 4))
  // Four bytes point to the continuation.
  return (share <= localBytesMax(pageBytes) ? share : least) + 4
}

/** How many bytes of a leaf a row with such a payload takes. */
export const cellBytesOf = (payloadBytes: number, rowid: number, pageBytes: number): number =>
  varintBytes(payloadBytes) + varintBytes(rowid) + localBytes(payloadBytes, pageBytes)

export const fitsLocally = (payloadBytes: number, pageBytes: number): boolean =>
  payloadBytes <= localBytesMax(pageBytes)

/** Bytes of SQLite's encoding of a number up to 2^53. */
export function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

function varint(page: Buffer, at: number): { value: number; bytes: number } {
  let value = 0
  for (let bytes = 1; bytes < 9; bytes++) {
    const byte = page.readUInt8(at + bytes - 1)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, bytes }
  }
  throw new RangeError('a number beyond any of ours')
}
