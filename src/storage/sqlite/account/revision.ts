import { newId } from '../../../lib/id.ts'
import type { Connection } from '../database/connection.ts'

/**
 * Raises the box's revision, so that a running server reloads, and stamps the account with it. Call inside the changing
 * transaction.
 */
export function touchAccount({ raw }: Pick<Connection, 'raw'>, accountRow: number): void {
  const revision = raiseRevision({ raw })
  raw.query('UPDATE account SET changed_at_revision = ? WHERE row = ?').run(revision, accountRow)
}

/** Raises and returns the box's revision. Call inside the changing transaction. */
export function raiseRevision({ raw }: Pick<Connection, 'raw'>): number {
  const raised = raw
    .query<{ revision: number }, []>(
      'INSERT INTO box (id, revision) VALUES (1, 1) ON CONFLICT DO UPDATE SET revision = revision + 1 RETURNING revision',
    )
    .get()
  if (raised === null) throw new Error('the box has no revision')
  return raised.revision
}

/** The box's revision; 0 before the first change. */
export const readRevision = ({ raw }: Pick<Connection, 'raw'>): number =>
  raw.query<{ revision: number }, []>('SELECT revision FROM box').get()?.revision ?? 0

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
