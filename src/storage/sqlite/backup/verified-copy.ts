import { Database } from 'bun:sqlite'
import { renameSync, rmSync } from 'node:fs'
import type { Connection } from '../database/connection.ts'
import { syncFile } from './sync-file.ts'

/**
 * Writes a consistent copy of a database that may be in use, and proves it by opening it and checking its integrity.
 * Writers are not held up: VACUUM INTO reads one snapshot.
 *
 * @throws when the copy cannot be written or does not check out; then nothing is left at `file`.
 */
export function writeVerifiedCopy({ raw }: Connection, file: string): void {
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    raw.run('VACUUM INTO ?', [unfinished])
    assertIntact(unfinished)
    syncFile(unfinished)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** @throws when SQLite finds a fault in the file. */
export function assertIntact(file: string): void {
  const copy = new Database(file, { readonly: true, strict: true })
  try {
    const fault = integrityFault(copy)
    if (fault !== null) throw new Error(`integrity check of ${file}: ${fault}`)
  } finally {
    copy.close()
  }
}

/** SQLite's own integrity check: `null` when it finds nothing. */
export function integrityFault(raw: Database): string | null {
  const row = raw.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get()
  return row?.integrity_check === 'ok' ? null : (row?.integrity_check ?? 'no answer')
}
