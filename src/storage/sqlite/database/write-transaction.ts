import type { Connection } from './connection.ts'

/**
 * Runs a transaction that takes the write lock at its start, so that no other writer can make it fail halfway; returns
 * the result of `work`.
 */
export const writeTransaction = <Result>({ db }: Pick<Connection, 'db'>, work: () => Result): Result =>
  db.transaction(work, { behavior: 'immediate' })
