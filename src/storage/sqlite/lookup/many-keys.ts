import type { Database } from 'bun:sqlite'

/** The keys themselves: `?1`, a JSON array. */
export const eachKey = 'FROM json_each(?1) asked'

/**
 * A table's rows for each key. `CROSS JOIN` fixes the order: SQLite would rather scan the table and look each row's key
 * up.
 */
export const forEachKey = (table: string): string => `${eachKey} CROSS JOIN ${table}`

/** Another table's rows for each row found. */
export const andThen = (table: string): string => `CROSS JOIN ${table}`

/** The key of a row, if it is a single value. */
export const wholeKey = 'asked.value'

/** A part of a row's key, if keys are arrays; the first is 0. */
export const keyPart = (part: number): string => `asked.value ->> ${part}`

/** Whether the key has parts: `null` keys are skipped. */
export const isListKey = "asked.type = 'array'"

/** A column: the position of the key that a row answers. */
export const position = 'asked.key AS position'

/**
 * Asks for many keys in one statement: twice as fast as asking for each, three times from some twenty keys on. Not for
 * lists with their own limit: SQLite builds a table for each, which takes twenty times as long as asking individually.
 *
 * @param query made of `forEachKey`, with the column `position`
 */
export function manyKeys<Row extends { position: number }>(raw: Database, query: string): (keys: unknown[]) => Row[] {
  const statement = raw.query<Row, [string]>(query)
  return (keys) => statement.all(JSON.stringify(keys))
}

/** One answer for each key; `null` if no row answers it. */
export function answersOf<Row extends { position: number }, Found>(
  keys: { length: number },
  rows: readonly Row[],
  found: (row: Row) => Found,
): (Found | null)[] {
  const answers = Array<Found | null>(keys.length).fill(null)
  for (const row of rows) answers[row.position] = found(row)
  return answers
}

/** All rows for each key, in order. */
export function listsOf<Row extends { position: number }, Found>(
  keys: { length: number },
  rows: readonly Row[],
  found: (row: Row) => Found,
): Found[][] {
  const lists: Found[][] = Array.from({ length: keys.length }, () => [])
  for (const row of rows) lists[row.position]?.push(found(row))
  return lists
}
