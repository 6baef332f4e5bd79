import type { MissingAddress } from '../../../report/missing.ts'
import type { Connection } from '../database/connection.ts'

/** An account, the first day, and the day after the last. */
export type DaysOfAccount = [accountRow: number, from: number, until: number]

/** Counts of these days, added up. */
export const missingWithin = (
  { raw }: Pick<Connection, 'raw'>,
  days: DaysOfAccount,
  totalsMax: number,
): MissingAddress[] =>
  raw
    .query<MissingAddress, [...DaysOfAccount, number]>(
      `SELECT path, sum(count) AS count FROM missing_count
       WHERE account_row = ? AND day >= ? AND day < ? GROUP BY path ORDER BY 2 DESC, path LIMIT ?`,
    )
    .all(...days, totalsMax)
