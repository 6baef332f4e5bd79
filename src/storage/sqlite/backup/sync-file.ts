import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the file's contents durable (fsync(2)). */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
