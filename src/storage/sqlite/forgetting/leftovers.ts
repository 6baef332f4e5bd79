import type { AddressSpellings } from './address-spellings.ts'
import type { DatabaseFile } from './database-file.ts'
import { gapOf } from './raw-pages.ts'

/** Pages read at once. */
const pagesPerRead = 256

/**
 * Whether bytes of the database's file that belong to no row contain the address. Freed pages and rows are zeros
 * (`secure_delete`); the rest of a page's free bytes is its gap.
 */
export async function hasLeftovers(file: DatabaseFile, address: AddressSpellings): Promise<boolean> {
  const { pageBytes, byteCount } = file
  const { hints } = address
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
        if (gap !== null && mayContain(gap) && address.standsIn(gap.toString())) return true
      }
    }
    await Bun.sleep(0)
  }
  return false
}
