import { newId } from '../../../lib/id.ts'
import type { Connection } from '../database/connection.ts'

/** The box's own id; `null`: none yet. */
export const readBoxId = ({ raw }: Pick<Connection, 'raw'>): string | null =>
  raw.query<{ uuid: string | null }, []>('SELECT uuid FROM box').get()?.uuid ?? null

/** The box's own id, made at its first use. Two processes that make one at once get the same. */
export function boxIdOf(connection: Pick<Connection, 'raw'>): string {
  const known = readBoxId(connection)
  if (known !== null) return known
  const made = connection.raw
    .query<{ uuid: string }, [string]>(
      `INSERT INTO box (id, revision, uuid) VALUES (1, 0, ?)
       ON CONFLICT DO UPDATE SET uuid = coalesce(uuid, excluded.uuid) RETURNING uuid`,
    )
    .get(newId())
  if (made === null) throw new Error('the box has no id')
  return made.uuid
}
