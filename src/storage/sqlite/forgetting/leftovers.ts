import type { DatabaseFile } from './database-file.ts'
import { gapOf } from './raw-pages.ts'

/** Pages read at once. */
const pagesPerRead = 256

/**
 * Whether any of the texts (lower-case) stands in bytes of the database's file that belong to no row. Freed pages and
 * freed rows are zeros (`secure_delete`); what else is free in a page is its gap.
 */
export async function hasLeftovers(file: DatabaseFile, texts: string[]): Promise<boolean> {
  const { pageBytes, byteCount } = file
  const needles = texts.map((text) => latin(Buffer.from(text)))
  for (let from = 0; from < byteCount; from += pagesPerRead * pageBytes) {
    const bytes = file.read(from, pagesPerRead * pageBytes)
    const hay = latin(bytes)
    if (needles.some((needle) => hay.includes(needle)) && inGaps({ bytes, from, pageBytes }, needles)) return true
    await Bun.sleep(0)
  }
  return false
}

function inGaps(
  { bytes, from, pageBytes }: { bytes: Buffer; from: number; pageBytes: number },
  needles: string[],
): boolean {
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const page = bytes.subarray(at, at + pageBytes)
    const gap = gapOf(page, (from + at) / pageBytes + 1)
    if (gap === null) continue
    const hay = latin(page.subarray(gap.from, gap.to))
    if (needles.some((needle) => hay.includes(needle))) return true
  }
  return false
}

/** One character a byte, so that whatever lies around a text does not hide it. */
const latin = (bytes: Buffer): string => bytes.toString('latin1').toLowerCase()
