import { type AssetStore, storedEncodings } from '../../asset/asset-store.ts'
import { type ByteSink, UstarWriter } from '../../lib/ustar/writer.ts'
import { assetEntryName, databaseName, digestName, type Manifest, manifestName } from './archive-format.ts'

interface ArchiveSource {
  manifest: Manifest
  /** A closed copy of the database that nobody writes to. */
  databaseFile: string
  /** The hashes that the copy names, ascending and unique. */
  hashes: Iterable<string>
  assets: Pick<AssetStore, 'open'>
}

interface WrittenArchive {
  /** Published contents in the archive. */
  assets: number
  /** Contents that the database names and the store lacks. */
  missing: number
}

/** Their order in the archive, by name. */

/** Writes a backup (archive-format.ts) in constant memory. Nothing may be collected from the asset store meanwhile. */
export async function writeArchive(source: ArchiveSource, sink: ByteSink): Promise<WrittenArchive> {
  const { manifest } = source
  const archive = new UstarWriter(sink, Math.floor(Date.parse(manifest.createdAt) / 1000))
  await archive.entry(...text(manifestName, `${JSON.stringify(manifest, null, 2)}\n`))
  const database = Bun.file(source.databaseFile)
  await archive.entry({ name: databaseName, byteCount: database.size }, database.stream())
  const written = await writeAssets(source, archive)
  await archive.entry(...text(digestName, `${archive.digest()}\n`))
  await archive.end()
  return written
}

async function writeAssets({ hashes, assets }: ArchiveSource, archive: UstarWriter): Promise<WrittenArchive> {
  const written: WrittenArchive = { assets: 0, missing: 0 }
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
      if (bytes !== null) await archive.entry({ name: assetEntryName(key), byteCount: bytes.size }, bytes.stream())
    }
  }
  return written
}

function text(name: string, content: string): [header: { name: string; byteCount: number }, chunks: Uint8Array[]] {
  const bytes = new TextEncoder().encode(content)
  return [{ name, byteCount: bytes.length }, [bytes]]
}
