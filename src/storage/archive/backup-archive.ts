import { open } from 'node:fs/promises'
import type { BackupArchive } from '../../operations/backup/backup-ports.ts'
import type { BackupReading } from '../../operations/backup/restore-ports.ts'
import { damagedNamedMax } from './archive-format.ts'
import { readArchive, verifyOnly } from './read-archive.ts'
import { writeArchive } from './write-archive.ts'

/** Backups as tar files (archive-format.ts). */
export const backupArchive: BackupArchive = {
  write({ createdAt, program, damaged, account, ...parts }, sink) {
    const named = damaged.length === 0 ? {} : { damaged: damaged.slice(0, damagedNamedMax) }
    const only = account === undefined ? {} : { account }
    return writeArchive({ manifest: { format: 1, createdAt, program, ...named, ...only }, ...parts }, sink)
  },
  async verify(file) {
    const handle = await open(file, 'r')
    try {
      await readArchive(handle, verifyOnly)
    } finally {
      await handle.close()
    }
  },
}

export const backupReading: BackupReading = {
  async read(handle, target) {
    const { manifest, assets } = await readArchive(handle, target)
    return { createdAt: manifest.createdAt, damaged: manifest.damaged ?? [], account: manifest.account ?? null, assets }
  },
}
