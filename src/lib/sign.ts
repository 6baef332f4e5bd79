/** Bytes of a signing secret: the length of the hash, as RFC 2104 section 3 advises. */
const secretBytes = 32

/** Characters of a MAC in text form. */
export const macCharacters = 43

/** A fresh secret from the system's random source. */
export const newSecret = (bytes = secretBytes): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes))

/**
 * HMAC-SHA256 (RFC 2104) of the text as UTF-8, in base64url without padding (RFC 4648 section 5).
 *
 * Separate the parts of a text by a character that none of them can contain; the first part names what is signed and
 * the format's version, so that a signature of one thing never passes for another's. Once per page view: 0.5 µs.
 */
export const sign = (secret: Uint8Array, text: string): string =>
  keyedHasher(secret).copy().update(text).digest('base64url')

/** Hashers that have read their key, which takes a third of a short text's MAC. */
const keyedHashers = new WeakMap<Uint8Array, Bun.CryptoHasher>()

function keyedHasher(secret: Uint8Array): Bun.CryptoHasher {
  const known = keyedHashers.get(secret)
  if (known !== undefined) return known
  const keyed = new Bun.CryptoHasher('sha256', secret)
  keyedHashers.set(secret, keyed)
  return keyed
}

/**
 * Whether `mac` is the text's, in a time that does not reveal how much of it is right. Compared as text: two spellings
 * of the same bytes are two MACs, so not a single character can be changed.
 */
export const verifies = (secret: Uint8Array, text: string, mac: string): boolean =>
  mac.length === macCharacters && isSameText(sign(secret, text), mac)

/**
 * Whether two texts are equal, in a time that depends on their length alone. For texts of 50 characters, a tenth of the
 * time of `crypto.timingSafeEqual` with its buffers.
 */
export function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
