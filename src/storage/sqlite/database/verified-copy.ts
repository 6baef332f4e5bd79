import { Database } from 'bun:sqlite'
import { renameSync, rmSync } from 'node:fs'
import { syncPathNow } from '../../disk/synced.ts'
import type { Connection } from './connection.ts'

/**
 * Writes a consistent copy of a database that may be in use, then opens it and checks its integrity. Does not hold up
 * writers, since VACUUM INTO reads one snapshot.
 *
 * @throws if the copy cannot be written or is faulty; then nothing is left at `file`
 */
export function writeVerifiedCopy({ raw }: Connection, file: string): void {
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    raw.run('VACUUM INTO ?', [unfinished])
    assertIntact(unfinished)
    syncPathNow(unfinished)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/**
 * Writes a copy that is read and removed before long. It is not synced, so that no commit of the box waits behind its bytes. The
 * connection is of no further use.
 */
export function writePassingCopy({ raw }: Connection, file: string): void {
  raw.run('PRAGMA synchronous = OFF')
  raw.run('VACUUM INTO ?', [file])
  assertIntact(file)
}

/** @throws if SQLite finds a fault in the file */
export function assertIntact(file: string): void {
  const copy = new Database(file, { readonly: true, strict: true })
  try {
    const fault = integrityFault(copy)
    if (fault !== null) throw new Error(`integrity check of ${file}: ${fault}`)
  } finally {
    copy.close()
  }
}

/** SQLite's own integrity check; `null`: no fault found. */
export function integrityFault(raw: Database): string | null {
  const row = raw.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get()
  return row?.integrity_check === 'ok' ? null : (row?.integrity_check ?? 'no answer')
}
