import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Clock } from '../../../lib/clock.ts'
import type { RestoredDatabases } from '../../../operations/backup/restore-ports.ts'
import { allErasures } from '../forgetting/erasure-log.ts'
import { fits } from '../seal/box-seal.ts'
import { openErasing } from './erasing-again.ts'
import { compareWithRestored, countRecords } from './left-behind.ts'
import { openReplay } from './replayed-increments.ts'
import { acceptDatabase } from './restored-database.ts'

const fileIn = (folder: string): string => join(folder, 'capture.db')

function read<T>(file: string, reading: (raw: Database) => T): T {
  const raw = new Database(file, { readonly: true, strict: true })
  try {
    return reading(raw)
  } finally {
    raw.close()
  }
}

export const restoredDatabases = (clock: Clock): RestoredDatabases => ({
  accept: (staged, options) => acceptDatabase(fileIn(staged), { ...options, snapshotDir: join(staged, 'snapshots') }),
  compare: (present, staged) => compareWithRestored(present, fileIn(staged)),
  count: (staged) => read(fileIn(staged), countRecords),
  erasureLog: (present) => read(present, allErasures),
  opensWith: (staged, key) => read(fileIn(staged), (raw) => fits(raw, key)),
  replay: (staged) => openReplay(fileIn(staged)),
  erasing: (staged) => openErasing(fileIn(staged), clock),
})
