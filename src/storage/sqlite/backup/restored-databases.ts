import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Clock } from '../../../lib/clock.ts'
import type { RestoredDatabases } from '../../../operations/backup/restore-ports.ts'
import { allErasures } from '../forgetting/erasure-entries.ts'
import { openErasing } from './erasing-again.ts'
import { compareWithRestored } from './left-behind.ts'
import { openReplay } from './replayed-increments.ts'
import { acceptDatabase } from './restored-database.ts'

const fileIn = (folder: string): string => join(folder, 'capture.db')

export const restoredDatabases = (clock: Clock): RestoredDatabases => ({
  accept: (staged, options) => acceptDatabase(fileIn(staged), { ...options, snapshotDir: join(staged, 'snapshots') }),
  compare: (present, staged) => compareWithRestored(present, fileIn(staged)),
  erasureLog(present) {
    const raw = new Database(present, { readonly: true, strict: true })
    try {
      return allErasures(raw)
    } finally {
      raw.close()
    }
  },
  replay: (staged) => openReplay(fileIn(staged)),
  erasing: (staged) => openErasing(fileIn(staged), clock),
})
