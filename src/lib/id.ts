const shortIdAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const keyAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new UUIDv7 in lower-case text form (RFC 9562 section 5.7). */
export const newId = (): string => Bun.randomUUIDv7()

/** Eight of [a-z0-9]: the public id of a form, page, image or file. */
export const newShortId = (): string => randomText(shortIdAlphabet, 8)

/** `length` characters of [A-Za-z0-9], from the system's random source. */
export const newKeyText = (length: number): string => randomText(keyAlphabet, length)

/** Bytes beyond the last whole multiple of the alphabet are drawn again: the first characters would come more often. */
function randomText(alphabet: string, length: number): string {
  const fairBytes = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length)))
      if (byte < fairBytes) text += alphabet[byte % alphabet.length]
  }
  return text
}
