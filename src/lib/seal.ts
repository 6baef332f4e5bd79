import { newSecret } from './sign.ts'

/** Bytes of a sealing key: AES-256. */
export const sealKeyBytes = 32
/** The file with the key: one line of base64. */
export const sealKeyName = 'seal.key'

export const sealKeyText = (key: Uint8Array): string => `${Buffer.from(key).toString('base64')}\n`

/** `null`: the text is no key. */
export function sealKeyOf(text: string): Uint8Array | null {
  const key = Buffer.from(text.trim(), 'base64')
  return key.length === sealKeyBytes ? new Uint8Array(key) : null
}

/** Begins every sealed value and names its format. */
const mark = 'sealed:1:'
/** A random nonce (NIST SP 800-38D section 5.2.1.1): a box seals far less than 2^32 values. */
export const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/** Loaded with the first secret, since it takes 2 ms and most commands meet none. */
const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/**
 * Seals secrets with AES-256-GCM. A sealed value opens only at the place that it was sealed for.
 *
 * `place` names table, column and row.
 */
export class Seal {
  constructor(private readonly key: Uint8Array) {
    if (key.length !== sealKeyBytes) throw new TypeError(`a sealing key has ${sealKeyBytes} bytes, not ${key.length}`)
  }

  seal(plain: Uint8Array | string, place: string): string {
    return `${mark}${this.sealBytes(plain, place).toString('base64url')}`
  }

  /** @throws Error when it was sealed with another key or for another place, or was changed */
  open(value: string, place: string): Buffer {
    return this.openBytes(Buffer.from(value.slice(mark.length), 'base64url'), place)
  }

  /**
   * As `seal`, for what is no text: `nonceBytes + tagBytes` longer than what it seals.
   *
   * @param nonce of whoever seals but one thing with this key
   */
  sealBytes(plain: Uint8Array | string, place: string, nonce = newSecret(nonceBytes)): Buffer {
    const sealing = nodeCrypto().createCipheriv(cipher, this.key, nonce).setAAD(Buffer.from(place))
    return Buffer.concat([nonce, sealing.update(plain), sealing.final(), sealing.getAuthTag()])
  }

  /** As `open`. */
  openBytes(bytes: Uint8Array, place: string): Buffer {
    try {
      const nonce = bytes.subarray(0, nonceBytes)
      const opening = nodeCrypto().createDecipheriv(cipher, this.key, nonce, { authTagLength: tagBytes })
      opening.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
      return Buffer.concat([opening.update(bytes.subarray(nonceBytes, -tagBytes)), opening.final()])
    } catch {
      throw new Error(`the sealed value of ${place} does not open`)
    }
  }
}
