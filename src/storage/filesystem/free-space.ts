import { statfs } from 'node:fs/promises'

const bytesPerMegabyte = 1024 * 1024

/** Megabytes that an unprivileged user may still write on the volume of the folder. */
export async function freeMegabytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return (bavail * bsize) / bytesPerMegabyte
}
