import type { BackupTarget } from '../target/backup-target.ts'
import { type BundleHeader, encodeHead } from './bundle-header.ts'
import { partName } from './object-names.ts'
import type { Sealer } from './sealing.ts'

/** Plain bytes of a part. Compressed, encrypted and with its header, it stays below `objectBytesMax`. */
export const partBytesMax = 8 * 1024 * 1024

/** A header without the members that the writer adds. */
export type GivenHeader = BundleHeader extends infer H
  ? H extends BundleHeader
    ? Omit<H, 'name' | 'parts' | 'key'>
    : never
  : never

interface Bundle {
  name: string
  /** Called once all chunks have been read. */
  header: () => GivenHeader
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Writes bytes of any length in parts, each compressed (zstd), then encrypted. The head comes last and contains the last part:
 * an interrupted bundle has no head, and so does not exist.
 *
 * @returns the bytes stored
 */
export async function writeBundle(target: BackupTarget, sealer: Sealer, bundle: Bundle): Promise<number> {
  const { name, chunks, header } = bundle
  const parts: BundleHeader['parts'] = []
  let waiting: Uint8Array<ArrayBuffer> | null = null
  for await (const part of partsOf(chunks)) {
    if (waiting !== null) {
      const stored = partName(name, parts.length + 1)
      const sealed = await sealer.seal(await sealer.compress(waiting), stored)
      await target.put(stored, sealed)
      parts.push([sealed.length, Bun.SHA256.hash(sealed, 'hex')])
    }
    waiting = part
  }
  const text = JSON.stringify({ name, ...header(), parts, key: sealer.key } satisfies BundleHeader)
  const body = await sealer.seal(await sealer.compress(waiting ?? new Uint8Array()), `${name}\n${text}`)
  const head = encodeHead(text, body)
  await target.put(name, head)
  return parts.reduce((sum, [bytes]) => sum + bytes, head.length)
}

/** The bytes in pieces of `partBytesMax`; the last may be shorter. */
async function* partsOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let gathered: Uint8Array[] = []
  let room = partBytesMax
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      // Copied, because a chunk is valid only until the next one.
      const piece = chunk.slice(at, at + room)
      gathered.push(piece)
      at += piece.length
      room -= piece.length
      if (room > 0) continue
      yield joined(gathered)
      gathered = []
      room = partBytesMax
    }
  }
  if (gathered.length > 0) yield joined(gathered)
}

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
