import type { Connection } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { tables } from '../schema/tables.ts'

/**
 * The first column with a text that is no longer JSON, as a fault of the database; `null`: none, or it is of another version.
 * SQLite's check of its pages sees no changed text.
 */
export function damagedText(connection: Connection): string | null {
  const { applied, known, fault } = schemaState(connection)
  if (fault !== null || applied !== known) return null
  for (const { name, json } of tables)
    for (const column of json) {
      const text = `"${column.name}"`
      const damaged = `SELECT 1 FROM "${name}" WHERE ${text} IS NOT NULL AND NOT json_valid(${text}) LIMIT 1`
      if (connection.raw.query(damaged).get() !== null) return `a text of ${name}.${column.name} is no longer JSON`
    }
  return null
}
