import { resolve } from 'node:path'
import type { AssetStore } from '../asset/asset-store.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { byteSize } from '../lib/quantities.ts'
import { beginOutFile, standardOutputName } from './output/out-file.ts'
import { printable } from './output/printable.ts'
import type { Session } from './session.ts'

/** Whether a page's bytes are still held. */
export const isPageHeld = async (assets: Pick<AssetStore, 'open'>, sha256: string): Promise<boolean> =>
  (await assets.open({ sha256, encoding: 'identity' })) !== null

/** A page's bytes exactly as they were published. @throws OperatorError when they are not held, or are not those bytes */
export async function pageBytes(assets: Pick<AssetStore, 'open'>, { slug, sha256 }: { slug: string; sha256: string }) {
  const held = await assets.open({ sha256, encoding: 'identity' })
  if (held === null) {
    throw new OperatorError(
      `The bytes of /${slug} that were served then (SHA-256 ${sha256}) are no longer kept. A backup from that time holds them, and so may the site folder's history.`,
    )
  }
  const bytes = await held.bytes()
  if (Bun.SHA256.hash(bytes, 'hex') === sha256) return bytes
  throw new OperatorError(
    `The bytes kept of /${slug} are damaged: they are not those of SHA-256 ${sha256}. Restore the latest backup: capture restore FILE`,
  )
}

/** Writes the bytes and nothing else to a file, or to standard output where `target` is `-`. */
export async function writePageBytes(
  bytes: Uint8Array,
  target: string,
  dataDir: string,
  { out, err, cwd }: Pick<Session, 'out' | 'err' | 'cwd'>,
): Promise<void> {
  if (target === standardOutputName) return out.write(bytes)
  const path = resolve(cwd, target)
  const file = await beginOutFile(path, dataDir)
  try {
    await file.write(bytes)
    await file.finish()
  } catch (error) {
    await file.discard()
    throw error
  }
  err.write(`${printable(`Wrote the page as it was served to ${path} (${byteSize(bytes.byteLength)}).`)}\n`)
}
