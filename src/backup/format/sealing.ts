import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { chunksOf, type OpenedFile } from '../../lib/opened-file.ts'
import { newSecret } from '../../lib/sign.ts'
import { ArchiveFault } from '../../lib/ustar.ts'

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

/** Opens what a `Sealer` has sealed. */
export interface Unsealer {
  /**
   * @param key as `Sealer.key`; with `null`, the bytes are returned unchanged
   * @throws WrongIdentity, or an Error if the bytes were changed or belong to another context
   */
  unseal(key: string | null, bytes: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array<ArrayBuffer>>
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
export class DataKeys implements Unsealer {
  private readonly opened = new Map<string, Promise<CryptoKey>>()

  constructor(private readonly identities: readonly string[]) {}

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

/** How every age file begins (https://age-encryption.org/v1). */
export const ageBeginning = 'age-encryption.org/v1'

type Sink = (chunk: Uint8Array) => Promise<void>

interface AgeWriter {
  /** Takes a copy of the chunk. */
  write: Sink
  end(): Promise<void>
}

/** Any `age -d` with an identity of one of the recipients opens what goes to `sink`. */
export async function ageWriter(recipients: readonly string[], sink: Sink): Promise<AgeWriter> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const encrypted = await encrypter.encrypt(readable)
  const writer = writable.getWriter()
  const pumped = pump(encrypted, sink)
  // A sink that fails takes nothing more: waiting for room would never end.
  const unlessFailed = <T>(step: Promise<T>) => Promise.race([step, pumped.then(() => step)])
  return {
    async write(chunk) {
      await unlessFailed(writer.write(chunk.slice()))
    },
    async end() {
      await unlessFailed(writer.close())
      await pumped
    },
  }
}

async function pump(encrypted: ReadableStream<Uint8Array>, sink: Sink): Promise<void> {
  for await (const chunk of encrypted) await sink(chunk)
}

/**
 * The plain content of an age file, to be read once, from front to back.
 *
 * @throws WrongIdentity when no identity opens it, ArchiveFault when it is damaged
 */
export async function openAgeFile(file: OpenedFile, identities: readonly string[]): Promise<OpenedFile> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  const chunks = chunksOf(file)
  const encrypted = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  const plain = await decrypter.decrypt(encrypted).catch((cause) => {
    throw new WrongIdentity('none of the identities can open it', { cause })
  })
  const reader = plain.getReader()
  let rest: Uint8Array = new Uint8Array()
  return {
    async read(buffer, offset, length) {
      while (rest.length === 0) {
        const { done, value } = await reader.read().catch(() => {
          throw new ArchiveFault('is damaged or incomplete: it cannot be decrypted')
        })
        if (done) return { bytesRead: 0 }
        rest = value
      }
      const taken = rest.subarray(0, length)
      buffer.set(taken, offset)
      rest = rest.subarray(taken.length)
      return { bytesRead: taken.length }
    },
    // A little more than its content: the encrypted bytes.
    stat: () => file.stat(),
    close: () => file.close(),
  }
}

interface KeyPair {
  /** `AGE-SECRET-KEY-1…`: opens backups. */
  identity: string
  /** `age1…`: encrypts them. */
  recipient: string
}

export async function newKeyPair(): Promise<KeyPair> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}
