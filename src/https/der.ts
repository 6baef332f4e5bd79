/** Writes values in the Distinguished Encoding Rules (ITU-T X.690), as far as our own certificates need them. */

const longForm = 0x80

/** One value: its tag, its length, its content. */
function tagged(tag: number, content: Uint8Array): Uint8Array {
  const lengthBytes = content.length < longForm ? [content.length] : longLength(content.length)
  return Buffer.concat([Uint8Array.of(tag, ...lengthBytes), content])
}

function longLength(length: number): number[] {
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff)
  return [longForm | bytes.length, ...bytes]
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

export const sequence = (...items: Uint8Array[]): Uint8Array => tagged(0x30, Buffer.concat(items))
export const set = (...items: Uint8Array[]): Uint8Array => tagged(0x31, Buffer.concat(items))
/** `content`: big-endian, its highest bit clear. */
export const integer = (content: Uint8Array): Uint8Array => tagged(0x02, content)
export const octets = (content: Uint8Array): Uint8Array => tagged(0x04, content)
/** A bit string of whole bytes, without unused bits. */
export const bits = (content: Uint8Array): Uint8Array => tagged(0x03, Buffer.concat([Uint8Array.of(0), content]))
export const utf8 = (value: string): Uint8Array => tagged(0x0c, text(value))
/** `YYMMDDHHMMSSZ`. */
export const utcTime = (value: string): Uint8Array => tagged(0x17, text(value))
/** `YYYYMMDDHHMMSSZ`. */
export const generalizedTime = (value: string): Uint8Array => tagged(0x18, text(value))
/** `[number] EXPLICIT`. */
export const explicit = (number: number, content: Uint8Array): Uint8Array => tagged(0xa0 | number, content)
/** `[number] IMPLICIT IA5String`. */
export const implicitText = (number: number, value: string): Uint8Array => tagged(0x80 | number, text(value))

/** Object identifiers: RFC 5758 section 3.2, RFC 5280 appendix A.1 and section 4.2.1.6, RFC 2985 section 5.4.2. */
export const objectIds = {
  ecdsaWithSha256: tagged(0x06, Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)),
  commonName: tagged(0x06, Uint8Array.of(0x55, 0x04, 0x03)),
  subjectAltName: tagged(0x06, Uint8Array.of(0x55, 0x1d, 0x11)),
  extensionRequest: tagged(0x06, Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e)),
}

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
