import { SQLiteError } from 'bun:sqlite'
import { UnreadableAccount } from '../../../account/account-store.ts'
import { malformedJson } from '../../../operations/database/storage-fault.ts'
import type { Connection } from './connection.ts'

/** SQLite's codes for a page that is unreadable or does not fit its tree. */
const damageCodes = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:READ|SHORT_READ|CORRUPTFS|DATA))/

/** A tree of the database returned something it cannot contain. */
export class TreeFault extends Error {
  override readonly name = 'TreeFault'
  /** That of SQLite for what it finds itself. */
  readonly code = 'SQLITE_CORRUPT'
}

/** Whether the error concerns one place of the file; other places may be sound. */
export const isDamage = (error: unknown): boolean =>
  error instanceof TreeFault ||
  (error instanceof SQLiteError && (damageCodes.test(error.code ?? '') || error.message === malformedJson))

/** What a stored text says. @throws TreeFault when a disk has changed it so that it says nothing */
export function storedJson<T>(stored: string): T {
  try {
    return JSON.parse(stored) as T
  } catch {
    throw new TreeFault(malformedJson)
  }
}

/** The error for who reads one account: damage concerns that account alone. */
export const ofOneAccount = (error: unknown): unknown =>
  isDamage(error) ? new UnreadableAccount((error as Error).message, { cause: error }) : error

/** The result of `read`, or of `otherwise` if it meets damage. For what goes on beside damage: capturing, processing, repair. */
export function unlessDamaged<T, U>(read: () => T, otherwise: (error: unknown) => U): T | U {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return otherwise(error)
    throw error
  }
}

/** The rows. A damaged index may lead back, so that reading it would never end. @throws TreeFault */
export function ascending<Row extends { sequence: number }>(rows: Row[], after: number): Row[] {
  let last = after
  for (const { sequence } of rows) {
    if (!(sequence > last)) throw new TreeFault('the numbers of the ledger are not in order')
    last = sequence
  }
  return rows
}

/**
 * The result of `read` on one state of the database. SQLite refuses to commit a transaction that has met damage, even
 * if it only read; this one is rolled back, which makes no difference.
 */
export function reading<T>({ raw }: Pick<Connection, 'raw'>, read: () => T): T {
  raw.run('BEGIN')
  try {
    return read()
  } finally {
    raw.run('ROLLBACK')
  }
}
