import { join } from 'node:path'
import type { RestoredDatabases } from '../../../operations/backup/restore-ports.ts'
import { openConnection } from '../database/connection.ts'
import { carryErasures } from './carried-erasures.ts'
import { compareWithRestored } from './left-behind.ts'
import { acceptDatabase } from './restored-database.ts'

const fileIn = (folder: string): string => join(folder, 'capture.db')

export const restoredDatabases: RestoredDatabases = {
  accept: (staged, options) => acceptDatabase(fileIn(staged), { ...options, snapshotDir: join(staged, 'snapshots') }),
  compare(present, staged) {
    const connection = openConnection(fileIn(staged))
    try {
      const compared = compareWithRestored(present, fileIn(staged))
      if (compared.undone.erasures !== null) carryErasures(present, connection)
      return compared
    } finally {
      connection.raw.close()
    }
  },
}
