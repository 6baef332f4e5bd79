import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { chunksOf, type OpenedFile } from '../../lib/opened-file.ts'
import { ArchiveFault } from '../../lib/ustar.ts'
import { WrongIdentity } from './sealing.ts'

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
