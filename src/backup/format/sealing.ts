import { armor, Decrypter, Encrypter } from 'age-encryption'
import { newSecret } from '../../lib/sign.ts'

/** Bytes of an AES-GCM nonce (NIST SP 800-38D section 5.2.1.1). It is random: a key seals far less than 2^32 objects. */
const nonceBytes = 12
const keyBytes = 32

/** Compresses a part of a bundle (zstd, one frame). It may take the bytes away from the caller. */
export type Compress = (part: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>

/** Compresses and seals what goes to a target. */
export interface Sealer {
  readonly compress: Compress
  /** The data key, encrypted with age for the recipients, as armored text; `null`: nothing is encrypted. */
  readonly key: string | null
  /** @param context binds the bytes: only the same context decrypts them */
  seal(bytes: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array<ArrayBuffer>>
}

/** Encrypts with a new AES-256 key that only the recipients' identities can open. Without recipients, nothing is encrypted. */
export async function openSealer(recipients: readonly string[], compress: Compress = compressHere): Promise<Sealer> {
  if (recipients.length === 0) return { key: null, compress, seal: async (bytes) => bytes }
  const secret = new Uint8Array(newSecret(keyBytes))
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const key = armor.encode(await encrypter.encrypt(secret))
  const aes = await aesKey(secret)
  return {
    key,
    compress,
    async seal(bytes, context) {
      const nonce = new Uint8Array(newSecret(nonceBytes))
      const sealed = await crypto.subtle.encrypt(aesOf(nonce, context), aes, bytes)
      const whole = new Uint8Array(nonceBytes + sealed.byteLength)
      whole.set(nonce)
      whole.set(new Uint8Array(sealed), nonceBytes)
      return whole
    },
  }
}

export async function compressHere(part: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { buffer, byteOffset, byteLength } = await Bun.zstdCompress(part)
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** Binds the key of a base's secrets to that base. */
export const sealKeyContext = (base: string): string => `${base}\nsealKey`

/** No identity opens the data key. */
export class WrongIdentity extends Error {}

/** Opens data keys with age identities (`AGE-SECRET-KEY-1…`), and caches opened keys. */
export class DataKeys {
  private readonly opened = new Map<string, Promise<CryptoKey>>()

  constructor(private readonly identities: readonly string[]) {}

  /**
   * @param key as `Sealer.key`; with `null`, the bytes are returned unchanged
   * @throws WrongIdentity, or an Error if the bytes were changed or belong to another context
   */
  async unseal(key: string | null, bytes: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array<ArrayBuffer>> {
    if (key === null) return bytes
    const aes = await this.aesOf(key)
    const nonce = bytes.subarray(0, nonceBytes)
    return new Uint8Array(await crypto.subtle.decrypt(aesOf(nonce, context), aes, bytes.subarray(nonceBytes)))
  }

  /** @throws WrongIdentity when no identity opens the data key */
  async open(key: string): Promise<void> {
    await this.aesOf(key)
  }

  private aesOf(key: string): Promise<CryptoKey> {
    const known = this.opened.get(key)
    if (known !== undefined) return known
    if (this.opened.size >= keysMax) this.opened.clear()
    const opening = openKey(key, this.identities)
    this.opened.set(key, opening)
    return opening
  }
}

/** One for each base and each chain of increments. */
const keysMax = 1000

async function openKey(key: string, identities: readonly string[]): Promise<CryptoKey> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    return await aesKey(new Uint8Array(await decrypter.decrypt(armor.decode(key))))
  } catch (cause) {
    throw new WrongIdentity('none of the identities can open it', { cause })
  }
}

const aesKey = (secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt'])

const aesOf = (
  nonce: Uint8Array<ArrayBuffer>,
  context: string,
): { name: 'AES-GCM'; iv: Uint8Array<ArrayBuffer>; additionalData: Uint8Array<ArrayBuffer> } => ({
  name: 'AES-GCM',
  iv: nonce,
  additionalData: new TextEncoder().encode(context),
})
