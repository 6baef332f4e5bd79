const shortIdAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Without 0 and o, 1 and l, which people confuse: 5 bits a character. */
const readableAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const keyAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new UUIDv7 in lower-case text form (RFC 9562 section 5.7). */
export const newId = (): string => Bun.randomUUIDv7()

/** Whether a text is such an id. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)

/** When a UUIDv7 was made, epoch milliseconds. */
export const madeAt = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/**
 * The UUIDv7 for a text and an instant, epoch milliseconds: equal input gives an equal id. As hard to guess as the
 * text.
 */
export function derivedId(at: number, text: string): string {
  const time = at.toString(16).padStart(12, '0')
  const drawn = Bun.SHA256.hash(text, 'hex')
  // RFC 9562 section 5.7: version 7 and variant 10 are among the random bits.
  const variant = '89ab'[Number.parseInt(drawn.charAt(3), 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${drawn.slice(0, 3)}-${variant}${drawn.slice(4, 7)}-${drawn.slice(7, 19)}`
}

/** Eight of [a-z0-9]: the public id of a form, page, image or file. */
export const newShortId = (): string => randomText(shortIdAlphabet, 8)

/** `length` characters that people can read out and type, from the system's random source. */
export const newReadableText = (length: number): string => randomText(readableAlphabet, length)

/** `length` characters of [A-Za-z0-9], from the system's random source. */
export const newKeyText = (length: number): string => randomText(keyAlphabet, length)

/**
 * Bytes beyond the last whole multiple of the alphabet are drawn again: otherwise its first characters would be more
 * frequent.
 */
function randomText(alphabet: string, length: number): string {
  const fairBytes = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length)))
      if (byte < fairBytes) text += alphabet[byte % alphabet.length]
  }
  return text
}
