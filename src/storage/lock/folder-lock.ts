import { Database } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Held until `release` or the end of the process. */
export interface FolderLock {
  release(): void
}

export interface LockHolder {
  pid: number
  /** What it is doing: `capture serve on 127.0.0.1:8080`. */
  doing: string
  since: string
}

/** Takes the named lock of a data folder, or says who holds it. */
export function takeFolderLock(dataDir: string, name: string, doing: string): FolderLock | LockHolder {
  const holderFile = join(dataDir, `${name}.holder.json`)
  const lock = takeFileLock(join(dataDir, `${name}.lock`))
  if (lock === null) return readHolder(holderFile)
  const holder: LockHolder = { pid: process.pid, doing, since: new Date().toISOString() }
  writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 })
  return lock
}

export const isHeld = (lock: FolderLock | LockHolder): lock is FolderLock => 'release' in lock

/** Whether somebody holds the lock, or it cannot be taken. */
export function isLocked(dataDir: string, name: string): boolean {
  try {
    const lock = takeFolderLock(dataDir, name, 'a look for what was left behind')
    if (isHeld(lock)) lock.release()
    return !isHeld(lock)
  } catch {
    return true
  }
}

/**
 * Whether the lock's last holder seems to be alive. Does not try to take the lock, which could block somebody who is
 * about to; so it may be wrong if the process id was reused.
 */
export function seemsHeld(dataDir: string, name: string): boolean {
  const { pid } = readHolder(join(dataDir, `${name}.holder.json`))
  return pid !== 0 && pid !== process.pid && isAlive(pid)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // There is one, of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readHolder(file: string): LockHolder {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder
  } catch {
    return { pid: 0, doing: 'another process', since: '' }
  }
}

/**
 * Takes the lock of a file, which is created if need be. `null`: somebody else holds it.
 *
 * The lock is the operating system's, on a SQLite file, because it vanishes with the process (a pid file would survive
 * a `kill -9`) and the runtime offers no other. A file damaged by a faulty disk is replaced.
 */
export function takeFileLock(file: string): FolderLock | null {
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
