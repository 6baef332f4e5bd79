import { encodeFolder } from '../lib/ustar/header.ts'
import { UstarWriter } from '../lib/ustar/writer.ts'

/** A file to be installed, root's. */
export interface PackagedFile {
  /** Below the root, without a slash before it: `usr/bin/capture`. */
  path: string
  content: Uint8Array
  mode: 0o644 | 0o755
}

/** As `dpkg-deb` does it by default in size, in a twentieth of the time. */
const compressionLevel = 9

/** A tar of the files and the folders that they lie in, compressed with zstd; the same files make the same bytes. */
export async function compressedTar(files: readonly PackagedFile[], modifiedAtSeconds: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const writer = new UstarWriter(async (bytes) => void chunks.push(bytes), modifiedAtSeconds)
  for (const folder of foldersOf(files)) chunks.push(encodeFolder(folder, modifiedAtSeconds))
  for (const { path, content, mode } of files) {
    await writer.entry({ name: `./${path}`, byteCount: content.length, mode }, [content])
  }
  await writer.end()
  return Bun.zstdCompress(Buffer.concat(chunks), { level: compressionLevel })
}

/** Every folder once, each after the one that it lies in. */
function foldersOf(files: readonly PackagedFile[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1)
    return parts.map((_, at) => `./${parts.slice(0, at + 1).join('/')}/`)
  })
  return ['./', ...new Set(folders)].sort()
}

/** An `ar` archive of short names, such as a Debian package is (deb(5)). */
export function arArchive(members: { name: string; content: Uint8Array }[], modifiedAtSeconds: number): Uint8Array {
  const parts = members.flatMap(({ name, content }) => [
    Buffer.from(arHeader(name, content.length, modifiedAtSeconds)),
    content,
    Buffer.from(content.length % 2 === 0 ? '' : '\n'),
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

const arHeader = (name: string, byteCount: number, modifiedAtSeconds: number): string =>
  [
    name.padEnd(16),
    String(modifiedAtSeconds).padEnd(12),
    '0'.padEnd(6),
    '0'.padEnd(6),
    '100644'.padEnd(8),
    String(byteCount).padEnd(10),
    '`\n',
  ].join('')
