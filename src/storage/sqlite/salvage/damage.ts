import { SQLiteError } from 'bun:sqlite'
import type { Connection } from '../database/connection.ts'

/** SQLite's codes for a page that is unreadable or does not fit its tree. */
const damageCodes = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:READ|SHORT_READ|CORRUPTFS|DATA))/

/** A tree of the database returned something it cannot contain. */
export class TreeFault extends Error {
  override readonly name = 'TreeFault'
}

/** Whether the error concerns one place of the file; other places may be sound. */
export const isDamage = (error: unknown): boolean =>
  error instanceof TreeFault || (error instanceof SQLiteError && damageCodes.test(error.code ?? ''))

/** The result of `read`, or of `otherwise` if it meets damage. */
export function unlessDamaged<T, U>(read: () => T, otherwise: (error: unknown) => U): T | U {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return otherwise(error)
    throw error
  }
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

/**
 * The result of `work`: how many items it has handled. After damage, it is called for the first item alone; if that
 * fails too, the item is skipped.
 */
export function passingDamage<T>(
  items: readonly T[],
  work: (items: readonly T[]) => number,
  onPassed = () => {},
): number {
  const first = items.slice(0, 1)
  const alone = () =>
    unlessDamaged(
      () => work(first),
      () => {
        onPassed()
        return first.length
      },
    )
  return unlessDamaged(() => work(items), alone)
}
