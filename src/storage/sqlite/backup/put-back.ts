import { Database } from 'bun:sqlite'
import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { syncPathNow } from '../../disk/synced.ts'

/**
 * Replaces a database that nobody has open by a snapshot, atomically: after an interruption, one of the two is there
 * whole.
 *
 * @param aside where the present database is kept
 * @throws if somebody has the database open or the copy cannot be written; then nothing has changed
 */
export function putBack(file: string, snapshot: string, aside: string): void {
  const unfinished = `${file}.unfinished`
  try {
    copyFileSync(snapshot, unfinished)
    syncPathNow(unfinished)
    takeInLog(file)
    rmSync(aside, { force: true })
    linkSync(file, aside)
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** The log belongs to the old database: SQLite would read what is left in it as the snapshot's. */
function takeInLog(file: string): void {
  const raw = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    const { busy } = raw.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? { busy: 1 }
    if (busy !== 0) throw new Error(`${file} is in use`)
  } finally {
    raw.close()
  }
}
