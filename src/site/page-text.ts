import { isUtf8 } from 'node:buffer'
import { treatedAs } from '../asset/asset-kind.ts'
import { severalAtOnce } from '../lib/several-at-once.ts'
import type { FolderAsset } from './folder-assets.ts'
import { assetBytesMax } from './limits.ts'
import type { SiteFault } from './site-faults.ts'

/** Pages read at once. */
const pagesAtOnce = 8

/** The faults of pages that are not UTF-8. Pages that are too large or cannot be read have faults of their own. */
export async function pagesNotUtf8(assets: FolderAsset[]): Promise<SiteFault[]> {
  const pages = assets.filter(({ kind, byteCount }) => treatedAs(kind) === 'page' && byteCount <= assetBytesMax.page)
  const faults = await severalAtOnce(pages, pagesAtOnce, async (page) => {
    const bytes = await Bun.file(page.file)
      .bytes()
      .catch(() => null)
    return bytes === null ? [] : notUtf8(page, bytes)
  })
  return faults.flat()
}

/** The fault of a page whose bytes are not UTF-8 text; none if they are. */
export function notUtf8({ shown }: FolderAsset, bytes: Uint8Array): SiteFault[] {
  const line = firstLineNotUtf8(bytes)
  return line === null ? [] : [{ file: shown, line, key: null, message }]
}

const message =
  'is not UTF-8, but every page is served as UTF-8: letters like ä and é would be garbled. Save it as UTF-8 (from Windows-1252: iconv -f WINDOWS-1252 -t UTF-8)'

const lineFeed = 0x0a
const nul = 0
/** Latin text in UTF-16 has NUL as every second byte; UTF-8 text has none except by mistake. */
const nulShareMax = 0.2

/**
 * The number, from 1, of the first line that is not UTF-8 text (RFC 3629); `null`: all are. Text that looks like UTF-16, whose
 * bytes can be valid UTF-8, fails at its first line.
 */
export function firstLineNotUtf8(bytes: Uint8Array): number | null {
  if (isUtf8(bytes)) return isUtf16(bytes) ? 1 : null
  let line = 1
  // In UTF-8 a line feed byte is never part of another character.
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(lineFeed, from)
    const text = bytes.subarray(from, end < 0 ? bytes.length : end + 1)
    if (!isUtf8(text)) return line
    from += text.length
  }
  return line
}

function isUtf16(bytes: Uint8Array): boolean {
  if (!bytes.includes(nul)) return false
  const nuls = bytes.reduce((count, byte) => count + Number(byte === nul), 0)
  return nuls > bytes.length * nulShareMax
}
