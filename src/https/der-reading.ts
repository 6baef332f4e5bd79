/** Reading of values in the Distinguished Encoding Rules (ITU-T X.690), as far as certificates need it. */

/** One value: its tag, what it holds, and where the next one begins. */
export interface DerValue {
  tag: number
  content: Uint8Array
  end: number
}

/** Tags of one byte and lengths of up to three: a certificate has no others. */
const lengthBytesMax = 3

/** The value that begins at this place; `null`: none does, or it reaches beyond the end. */
export function derValueAt(bytes: Uint8Array, at: number): DerValue | null {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return null
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > lengthBytesMax || first === 0x80) return null
  let length = lengthBytes === 0 ? first : 0
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0)
  const start = at + 2 + lengthBytes
  const end = start + length
  return end > bytes.length ? null : { tag, content: bytes.subarray(start, end), end }
}

/** The values that follow each other in these bytes; `null`: they are something else. */
export function derValuesIn(bytes: Uint8Array): DerValue[] | null {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const value = derValueAt(bytes, at)
    if (value === null) return null
    values.push(value)
    at = value.end
  }
  return values
}
