import { SQLiteError } from 'bun:sqlite'
import type { Connection } from '../database/connection.ts'

/** SQLite's codes for a page that cannot be read, or is none of its tree. */
const damageCodes = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:READ|SHORT_READ|CORRUPTFS|DATA))/

/** A tree of the database that answers what it cannot hold. */
export class TreeFault extends Error {
  override readonly name = 'TreeFault'
}

/** Whether it is the place in the file that fails: what lies elsewhere in it may be sound. */
export const isDamage = (error: unknown): boolean =>
  error instanceof TreeFault || (error instanceof SQLiteError && damageCodes.test(error.code ?? ''))

/** What `read` answers, or what `otherwise` does when it meets damage. */
export function unlessDamaged<T, U>(read: () => T, otherwise: (error: unknown) => U): T | U {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return otherwise(error)
    throw error
  }
}

/**
 * What `read` answers of one state of the database. SQLite refuses to commit a transaction that has met damage, though it
 * has only read: this one is rolled back, which is the same.
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
 * What `work` answers for the items: of how many it has disposed. Where it meets damage, it is called for the first one
 * alone, and where it does then too, that one is passed by.
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
