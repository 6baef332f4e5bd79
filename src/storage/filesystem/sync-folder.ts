import { open } from 'node:fs/promises'

/** Makes the names in the folder durable (fsync(2): syncing a file does not sync the entry that names it). */
export async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
