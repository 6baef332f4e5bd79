import { open } from 'node:fs/promises'
import type { BackupArchive } from '../../operations/backup/backup-ports.ts'
import type { BackupReading } from '../../operations/backup/restore-ports.ts'
import { readArchive, verifyOnly } from './read-archive.ts'
import { writeArchive } from './write-archive.ts'

/** Backups as tar files (archive-format.ts). */
export const backupArchive: BackupArchive = {
  write: writeArchive,
  async verify(file) {
    const handle = await open(file, 'r')
    try {
      await readArchive(handle, verifyOnly)
    } finally {
      await handle.close()
    }
  },
  async digest(file) {
    const hash = new Bun.CryptoHasher('sha256')
    for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
    return hash.digest('hex')
  },
}

export const backupReading: BackupReading = { read: readArchive }
