import { isUtf8 } from 'node:buffer'

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
