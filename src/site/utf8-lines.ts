import { isUtf8 } from 'node:buffer'

const lineFeed = 0x0a
const nul = 0
/** Of Latin letters in UTF-16 every second byte is NUL; in UTF-8 text there is none but by mistake. */
const nulShareMax = 0.2

/**
 * The number, from 1, of the first line that is no UTF-8 text (RFC 3629); `null`: all are. What looks like UTF-16, whose
 * bytes can be valid UTF-8, begins with such a line.
 */
export function firstLineNotUtf8(bytes: Uint8Array): number | null {
  if (isUtf8(bytes)) return isUtf16(bytes) ? 1 : null
  let line = 1
  // A line feed is never a part of another character.
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
