import type { AddressSpellings } from './address-spellings.ts'
import type { DatabaseFile } from './database-file.ts'
import { gapOf } from './raw-pages.ts'

/** Pages read at once. */
const pagesPerRead = 256

/** As long as the longest page. */
const zeros = Buffer.alloc(65_536)

/**
 * Whether bytes of the database's file that belong to no row contain the address. Freed pages and rows are zeros
 * (`secure_delete`); the rest of a page's free bytes is its gap.
 */
export async function hasLeftovers(file: DatabaseFile, address: AddressSpellings): Promise<boolean> {
  const { pageBytes, byteCount } = file
  const { isAscii } = address
  const standsIn = isAscii ? standsListed(address) : standsFolded(address)
  for (let from = 0; from < byteCount; from += pagesPerRead * pageBytes) {
    const bytes = file.read(from, pagesPerRead * pageBytes)
    // Listed texts are searched for in many pages at once quickly; normalising all row contents would take long.
    if ((!isAscii || standsIn(bytes)) && inGaps({ bytes, from, pageBytes }, standsIn)) return true
    await Bun.sleep(0)
  }
  return false
}

type Search = (bytes: Buffer) => boolean

function inGaps({ bytes, from, pageBytes }: { bytes: Buffer; from: number; pageBytes: number }, standsIn: Search) {
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const page = bytes.subarray(at, at + pageBytes)
    const gap = gapOf(page, (from + at) / pageBytes + 1)
    if (gap !== null && standsIn(page.subarray(gap.from, gap.to))) return true
  }
  return false
}

function standsListed({ texts }: AddressSpellings): Search {
  const needles = texts.map((text) => latin(Buffer.from(text)))
  return (bytes) => {
    const hay = latin(bytes)
    return needles.some((needle) => hay.includes(needle))
  }
}

/** One character for each byte, so that surrounding bytes cannot hide a text. */
const latin = (bytes: Buffer): string => bytes.toString('latin1').toLowerCase()

/** Most gaps contain only zeros. */
const standsFolded =
  (address: AddressSpellings): Search =>
  (bytes) =>
    !bytes.equals(zeros.subarray(0, bytes.length)) && address.standsIn(bytes.toString())
