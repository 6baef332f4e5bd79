import { randomInt } from 'node:crypto'

const shortIdAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const keyAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new UUIDv7 in lower-case text form (RFC 9562 section 5.7). */
export const newId = (): string => Bun.randomUUIDv7()

/** Eight of [a-z0-9]: the public id of a form, page, image or file. */
export const newShortId = (): string => randomText(shortIdAlphabet, 8)

/** `length` characters of [A-Za-z0-9], from the system's random source. */
export const newKeyText = (length: number): string => randomText(keyAlphabet, length)

function randomText(alphabet: string, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)]
  return text
}
