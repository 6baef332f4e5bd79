import { newSecret } from '../../lib/sign.ts'

const stepSeconds = 30
const digits = 6
/** A clock may be off by one step either way (RFC 6238 section 5.2). */
const stepsAside = 1
/** Bytes of a secret: the length of the hash, as RFC 4226 section 4 asks. */
const secretBytes = 20
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const newTotpSecret = (): Uint8Array => newSecret(secretBytes)

/**
 * The time step of a one-time code (RFC 6238, SHA-1, six digits, 30 s); `null`: the code is not valid now.
 * The caller spends the step, so that no code works twice.
 */
export function totpStep(secret: Uint8Array, code: string, now: number): number | null {
  const given = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(given)) return null
  const current = Math.floor(now / 1000 / stepSeconds)
  let found: number | null = null
  // Compares all steps, so that the time of an answer does not reveal which one matched.
  for (let step = current - stepsAside; step <= current + stepsAside; step++) {
    const expected = Buffer.from(totpCode(secret, step))
    if (crypto.timingSafeEqual(expected, Buffer.from(given))) found = step
  }
  return found
}

/** The code of a time step (RFC 4226 section 5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = new Bun.CryptoHasher('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The content of the QR code for authenticator apps (Key URI Format). */
export function totpUri(secret: Uint8Array, { email, issuer }: { email: string; issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

/** RFC 4648 section 6, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += base32Alphabet[(value >> bits) & 31]
    }
  }
  if (bits > 0) text += base32Alphabet[(value << (5 - bits)) & 31]
  return text
}

/** The bytes of a secret in base32; `null`: not a valid secret. */
export function base32Bytes(text: string): Uint8Array | null {
  if (text.length !== Math.ceil((secretBytes * 8) / 5) || !/^[A-Z2-7]+$/.test(text)) return null
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    value = ((value << 5) | base32Alphabet.indexOf(character)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  return Uint8Array.from(bytes)
}
