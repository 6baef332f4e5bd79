import { encodeFolder } from '../lib/ustar/header.ts'
import { UstarWriter } from '../lib/ustar/writer.ts'

/** A file to install, owned by root. */
export interface PackagedFile {
  /** Relative to the root: `usr/bin/capture`. */
  path: string
  content: Uint8Array
  mode: 0o644 | 0o755
}

/** The smallest that gzip makes. */
const compressionLevel = 9

/** A tar of the files and their folders, compressed with gzip. The same files make the same bytes. */
export async function compressedTar(files: readonly PackagedFile[], modifiedAtSeconds: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const writer = new UstarWriter(async (bytes) => void chunks.push(bytes), modifiedAtSeconds)
  for (const folder of foldersOf(files)) chunks.push(encodeFolder(folder, modifiedAtSeconds))
  for (const { path, content, mode } of files) {
    await writer.entry({ name: `./${path}`, byteCount: content.length, mode }, [content])
  }
  await writer.end()
  return Bun.gzipSync(Buffer.concat(chunks), { level: compressionLevel })
}

/** Every folder once, parents first. */
function foldersOf(files: readonly PackagedFile[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1)
    return parts.map((_, at) => `./${parts.slice(0, at + 1).join('/')}/`)
  })
  return ['./', ...new Set(folders)].sort()
}

/** An `ar` archive with short names, the format of Debian packages (deb(5)). */
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
