/** Reads values in the Distinguished Encoding Rules (ITU-T X.690), as far as certificates need them. */

/** One value: its tag, its content, and where the next value begins. */
export interface DerValue {
  tag: number
  content: Uint8Array
  end: number
}

/** Certificates have only tags of one byte and lengths of up to three. */
const lengthBytesMax = 3

/** The value at this offset; `null`: none, or truncated. */
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

/** The sequence of values in these bytes; `null`: malformed. */
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
