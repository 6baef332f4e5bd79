import type { Connection } from '../database/connection.ts'

/** The numbers of the pages on which a table's rows begin, as SQLite's own walk of the tree finds them (dbstat). */
export function* leafPages({ raw }: Pick<Connection, 'raw'>, table: string): Generator<number> {
  const pages = raw.query<{ number: number }, [string]>(
    `SELECT pageno AS number FROM dbstat WHERE name = ? AND pagetype = 'leaf'`,
  )
  for (const { number } of pages.iterate(table)) yield number
}
