import type { Connection } from '../database/connection.ts'
import { capturedKinds } from '../ledger/ledger-codec.ts'

/** Counted in one statement: some milliseconds. */
const rowsAtOnce = 50_000

/** The records of an account, `max` at most. Others get their turn between two steps: of millions, all take a second. */
export async function recordCount(
  { raw }: Pick<Connection, 'raw'>,
  accountRow: number,
  { max, rowsPerStep = rowsAtOnce }: { max: number; rowsPerStep?: number },
): Promise<number> {
  const step = raw.query<{ rows: number; last: number | null }, [number, number, number, number]>(
    `SELECT count(*) AS rows, max(sequence) AS last FROM (
       SELECT sequence FROM ledger WHERE account_row = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?)`,
  )
  let counted = 0
  for (const kind of capturedKinds) {
    for (let after: number | null = 0; after !== null && counted < max; ) {
      const limit = Math.min(rowsPerStep, max - counted)
      const found: { rows: number; last: number | null } | null = step.get(accountRow, kind, after, limit)
      counted += found?.rows ?? 0
      after = found !== null && found.rows === limit ? found.last : null
      if (after !== null) await Bun.sleep(0)
    }
  }
  return counted
}
