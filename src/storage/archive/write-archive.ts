import { storedEncodings } from '../../asset/asset-store.ts'
import { storedName } from '../../asset/stored-name.ts'
import { type ByteSink, UstarWriter } from '../../lib/ustar/writer.ts'
import type { BackupContents, WrittenContents } from '../../operations/backup/backup-ports.ts'
import { sealKeyName, sealKeyText } from '../disk/seal-key-file.ts'
import { damagedNamedMax, databaseName, digestName, type Manifest, manifestName } from './archive-format.ts'

/** Writes a backup (archive-format.ts) in constant memory. Nothing may be collected from the asset store meanwhile. */
export async function writeArchive(contents: BackupContents, sink: ByteSink): Promise<WrittenContents> {
  const manifest = manifestOf(contents)
  const archive = new UstarWriter(sink, Math.floor(Date.parse(manifest.createdAt) / 1000))
  await archive.entry(...text(manifestName, `${JSON.stringify(manifest, null, 2)}\n`))
  const database = Bun.file(contents.databaseFile)
  await archive.entry({ name: databaseName, byteCount: database.size }, database.stream())
  if (contents.sealKey !== null) await archive.entry(...text(sealKeyName, sealKeyText(contents.sealKey)))
  const written = await writeAssets(contents, archive)
  await archive.entry(...text(digestName, `${archive.digest()}\n`))
  await archive.end()
  return written
}

const manifestOf = ({ createdAt, program, damaged, account }: BackupContents): Manifest => ({
  ...{ format: 1, createdAt, program },
  ...(damaged.length === 0 ? {} : { damaged: damaged.slice(0, damagedNamedMax) }),
  ...(account === undefined ? {} : { account }),
})

async function writeAssets({ hashes, assets }: BackupContents, archive: UstarWriter): Promise<WrittenContents> {
  const written: WrittenContents = { assets: 0, missing: 0 }
  for (const sha256 of hashes) {
    const identity = await assets.open({ sha256, encoding: 'identity' })
    if (identity === null) {
      written.missing++
      continue
    }
    written.assets++
    for (const encoding of storedEncodings) {
      const key = { sha256, encoding }
      const bytes = encoding === 'identity' ? identity : await assets.open(key)
      if (bytes !== null) await archive.entry({ name: storedName(key), byteCount: bytes.size }, bytes.stream())
    }
  }
  return written
}

function text(name: string, content: string): [header: { name: string; byteCount: number }, chunks: Uint8Array[]] {
  const bytes = new TextEncoder().encode(content)
  return [{ name, byteCount: bytes.length }, [bytes]]
}
