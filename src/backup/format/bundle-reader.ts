import type { BackupTarget } from '../target/backup-target.ts'
import { type BundleHeader, decodeHead, type Head, ObjectFault } from './bundle-header.ts'
import { partName } from './object-names.ts'
import { DataKeys, WrongIdentity } from './sealing.ts'

/** Reads the head of a bundle. @throws ObjectFault when it is missing, damaged, or of another kind */
export async function readHead<K extends BundleHeader['kind']>(
  target: BackupTarget,
  name: string,
  kind: K,
): Promise<Head<Extract<BundleHeader, { kind: K }>>> {
  const bytes = await target.get(name)
  if (bytes === null) throw new ObjectFault(name, 'is missing')
  const head = decodeHead(name, bytes)
  if (head.header.kind !== kind) throw new ObjectFault(name, `is damaged: it is not of the kind "${kind}"`)
  return head as Head<Extract<BundleHeader, { kind: K }>>
}

/** Reads every part of a bundle and compares it with its checksum, which needs no identity. @throws ObjectFault */
export async function checkBundle(target: BackupTarget, name: string, head: Head): Promise<void> {
  for await (const _ of storedParts(target, name, head));
}

/**
 * The bytes of a bundle, checked piece by piece. They are valid only once the end is reached.
 *
 * @throws ObjectFault when a part is missing or damaged, WrongIdentity
 */
export async function* readBundle(
  target: BackupTarget,
  name: string,
  { head, keys }: { head: Head; keys: DataKeys },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { header, text, body } = head
  for await (const part of storedParts(target, name, head))
    yield await plain(part.name, () => keys.unseal(header.key, part.bytes, part.name))
  yield await plain(name, () => keys.unseal(header.key, body, `${name}\n${text}`))
}

/** The lines of a list, which is never encrypted. @throws ObjectFault when it is missing or damaged */
export async function readNames(target: BackupTarget, list: string): Promise<string[]> {
  const head = await readHead(target, list, 'list')
  const chunks = await Array.fromAsync(readBundle(target, list, { head, keys: new DataKeys([]) }))
  return Buffer.concat(chunks).toString().split('\n').filter(Boolean)
}

async function* storedParts(
  target: BackupTarget,
  bundle: string,
  { header }: Head,
): AsyncGenerator<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  for (const [index, [length, sha256]] of header.parts.entries()) {
    const name = partName(bundle, index + 1)
    const bytes = await target.get(name)
    if (bytes === null) throw new ObjectFault(name, 'is missing')
    if (bytes.length !== length || Bun.SHA256.hash(bytes, 'hex') !== sha256)
      throw new ObjectFault(name, 'is damaged: it does not match its checksum')
    yield { name, bytes }
  }
}

async function plain(name: string, unseal: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await Bun.zstdDecompress(await unseal()))
  } catch (error) {
    if (error instanceof WrongIdentity) throw error
    throw new ObjectFault(name, 'is damaged: it cannot be decrypted')
  }
}
