import { statfs } from 'node:fs/promises'

const bytesPerMegabyte = 1024 * 1024

/** What an unprivileged user may still write to the folder's volume. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

export const freeMegabytes = async (dir: string): Promise<number> => (await freeBytes(dir)) / bytesPerMegabyte
