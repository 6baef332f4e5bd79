/** Bytes of a signing secret: the length of the hash, as RFC 2104 section 3 advises. */
const secretBytes = 32

/** Characters of a MAC in text form. */
export const macCharacters = 43

/** A fresh secret from the system's random source. */
export const newSecret = (bytes = secretBytes): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes))

/**
 * HMAC-SHA256 (RFC 2104) of the text as UTF-8, in base64url without padding (RFC 4648 section 5).
 *
 * The parts of a text are to be set apart by a character that none of them can hold, and its first part names what is
 * signed and the format's version, so that no signature of one thing passes for another's. Once per page view: 0.5 µs.
 */
export const sign = (secret: Uint8Array, text: string): string =>
  new Bun.CryptoHasher('sha256', secret).update(text).digest('base64url')

/**
 * Whether `mac` is the text's, in a time that does not tell how much of it is right. Compared as text: two spellings
 * of the same bytes are two MACs, so that nothing signed can be changed in any character.
 */
export const verifies = (secret: Uint8Array, text: string, mac: string): boolean =>
  mac.length === macCharacters && isSameText(sign(secret, text), mac)

/**
 * Whether two texts are the same, in a time that depends on their length alone. For texts of 50 characters it takes a
 * tenth of what `crypto.timingSafeEqual` does with the buffers that it wants.
 */
export function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
