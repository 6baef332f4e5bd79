import type { Database } from 'bun:sqlite'
import { unlessDamaged } from '../database/damage.ts'

type Value = null | number | string | Uint8Array

const pageRowsMax = 500
/** Numbers tried behind the last readable row of a table of which nothing tells where it ends. */
const triedMax = 100_000

interface Table {
  name: string
  columns: readonly string[]
}

/** A place where nothing can be read. */
type Gap = 'gap'

/**
 * All rows of a table that can be read, in the order of their numbers. SQLite gives up at the first damaged page; this goes
 * on behind it, number by number. Indexes are not looked at.
 */
export function* readableRows(raw: Database, { name, columns }: Table): Generator<Value[] | Gap> {
  const page = raw.query(
    `SELECT rowid, ${quoted(columns)} FROM "${name}" NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  )
  let limit = pageRowsMax
  let end: number | null = null
  let isGap = false
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = unlessDamaged(
      () => page.values(after, limit) as [number, ...Value[]][],
      () => null,
    )
    const isRising = rows?.every(([number], at) => number > (rows[at - 1]?.[0] ?? after)) ?? false
    if (rows !== null && isRising) {
      isGap = false
      yield* rows.map(([_number, ...values]) => values)
      if (rows.length < limit) return
      after = rows.at(-1)?.[0] ?? after
      limit = Math.min(limit * 2, pageRowsMax)
    } else if (limit > 1) limit = Math.floor(limit / 2)
    else {
      if (!isGap) yield 'gap'
      isGap = true
      after = Math.max(after, 0) + 1
      end ??= lastNumber(raw, name) ?? after + triedMax
      if (after >= end) return
    }
  }
}

/** A table without numbers: its rows up to the first damaged page. */
export function* rowsByKey(raw: Database, { name, columns }: Table): Generator<Value[] | Gap> {
  const rows = raw.query(`SELECT ${quoted(columns)} FROM "${name}"`).iterate()
  for (;;) {
    const next = unlessDamaged(
      () => rows.next(),
      () => null,
    )
    if (next === null) yield 'gap'
    if (next === null || next.done === true) return
    yield Object.values(next.value as Record<string, Value>)
  }
}

/** The number of each account's row with its id or handle, by the index of that column alone; none where it is damaged. */
export const accountsByIndex = (raw: Database, column: 'id' | 'handle'): (readonly [row: number, text: string])[] =>
  unlessDamaged(
    () =>
      (
        raw
          .query(`SELECT row, ${column} FROM account INDEXED BY account_${column}_unique ORDER BY ${column}`)
          .values() as [number, unknown][]
      ).map(([row, text]) => [row, String(text)] as const),
    () => [],
  )

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

/** The last number of a table, by its own end or by the last that was ever given. */
function lastNumber(raw: Database, table: string): number | null {
  const numberBy = (query: string, ...values: string[]) =>
    unlessDamaged(
      () => raw.query<{ n: unknown }, string[]>(query).get(...values)?.n ?? null,
      () => null,
    )
  const found = [
    numberBy(`SELECT max(rowid) AS n FROM "${table}" NOT INDEXED`),
    numberBy('SELECT seq AS n FROM sqlite_sequence WHERE name = ?', table),
  ]
  const numbers = found.filter((n): n is number => Number.isSafeInteger(n))
  return numbers.length === 0 ? null : Math.max(...numbers)
}
