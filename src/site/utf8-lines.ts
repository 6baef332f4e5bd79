import { isUtf8 } from 'node:buffer'

const lineFeed = 0x0a
const nul = 0

/**
 * The number, from 1, of the first line that is no UTF-8 text (RFC 3629); `null`: all are. A NUL is valid UTF-8 and
 * stands in no text: most likely the file is UTF-16.
 */
export function firstLineNotUtf8(bytes: Uint8Array): number | null {
  if (isUtf8(bytes) && !bytes.includes(nul)) return null
  let line = 1
  // A line feed is never a part of another character.
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(lineFeed, from)
    const text = bytes.subarray(from, end < 0 ? bytes.length : end + 1)
    if (!isUtf8(text) || text.includes(nul)) return line
    from += text.length
  }
  return line
}
