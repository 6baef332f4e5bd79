import type { Connection } from '../database/connection.ts'

/** The account in the database attached as `arriving`. */
export interface ArrivingAccount {
  row: number
  id: string
  handle: string
}

/** The only account of an extract; `null`: none or several. */
export function arrivingAccount({ raw }: Pick<Connection, 'raw'>): ArrivingAccount | null {
  const found = raw
    .query<ArrivingAccount, []>('SELECT row, id, handle FROM arriving.account WHERE removed_at IS NULL LIMIT 2')
    .all()
  return found.length === 1 ? (found[0] ?? null) : null
}
