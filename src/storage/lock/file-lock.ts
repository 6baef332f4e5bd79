import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'

/** A lock on a file, held until `release` or the end of the process. */
export interface FileLock {
  release(): void
}

/**
 * Takes the lock of a file, which is created if need be. `null`: somebody else holds it.
 *
 * The lock is the operating system's, on a SQLite file, because it vanishes with the process (a pid file would survive
 * a `kill -9`) and the runtime offers no other. A file damaged by a faulty disk is replaced.
 */
export function takeFileLock(file: string): FileLock | null {
  const raw = lockedFile(file)
  return raw === null ? null : { release: () => raw.close() }
}

function lockedFile(file: string, isAnew = false): Database | null {
  const raw = new Database(file, { create: true, readwrite: true, strict: true })
  try {
    raw.run('PRAGMA busy_timeout = 0')
    raw.run('PRAGMA locking_mode = EXCLUSIVE')
    raw.run('BEGIN EXCLUSIVE')
    return raw
  } catch (error) {
    raw.close()
    const { code } = error as { code?: string }
    if (code === 'SQLITE_BUSY') return null
    // SQLite reads the file only once nobody holds it.
    if (code !== 'SQLITE_NOTADB' || isAnew) throw error
    rmSync(file)
    return lockedFile(file, true)
  }
}
