import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Makes a file's bytes, or a folder's names, durable (fsync(2): syncing a file does not sync the entry that names it). */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The same, without letting anything else run meanwhile. */
export function syncPathNow(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes a new file, for its owner alone, and makes its bytes durable. After an error, a part of it may be there. */
export async function writeSynced(file: string, chunks: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
