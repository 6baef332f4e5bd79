import type { StoredBytes } from '../../asset/asset-store.ts'
import { storedName } from '../../asset/stored-name.ts'
import { type BackupTarget, ObjectFault } from '../target/backup-target.ts'
import { type Head, readBundle, readHead, writeBundle } from './bundle.ts'
import type { Sealer, Unsealer } from './sealing.ts'

/** Puts a content into a bundle of its own. @returns the bytes stored. @throws TargetFault */
export const writeContent = (
  target: BackupTarget,
  sealer: Sealer,
  { key, body }: { key: StoredBytes; body: Blob },
): Promise<number> =>
  writeBundle(target, sealer, { name: storedName(key), header: () => ({ kind: 'asset' }), chunks: body.stream() })

/** The bytes of a content, whose head may have been read already. They are valid only once the end is reached. @throws ObjectFault, WrongIdentity, TargetFault */
export async function* readContent(
  { target, keys }: { target: BackupTarget; keys: Unsealer },
  key: StoredBytes,
  found?: Head,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const name = storedName(key)
  const head = found ?? (await readHead(target, name, 'asset'))
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of readBundle(target, name, { head, keys })) {
    hash.update(chunk)
    yield chunk
  }
  if (key.encoding === 'identity' && hash.digest('hex') !== key.sha256)
    throw new ObjectFault(name, 'is damaged: its content has another hash')
}
