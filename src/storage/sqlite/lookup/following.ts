import type { Connection } from '../database/connection.ts'

type Raw = Pick<Connection, 'raw'>

/**
 * Names the row of `delivered_elsewhere` that a follower of a cluster has: nothing is sent for the entries that come. The leader
 * alone delivers, and says what expires. No link carries the row.
 */
export const everyEntry = { lastSequence: Number.MAX_SAFE_INTEGER } as const

export const isFollowing = ({ raw }: Raw): boolean =>
  raw
    .query<object, [number]>('SELECT 1 FROM delivered_elsewhere WHERE last_sequence = ?')
    .get(everyEntry.lastSequence) !== null

/** Whether an entry came by a link. A node that led for a moment before still has entries of its own to process. */
export const isFollowed = ({ raw }: Raw, sequence: number): boolean =>
  raw
    .query<object, [number, number]>(
      'SELECT 1 FROM delivered_elsewhere WHERE last_sequence = ? AND first_sequence <= ?',
    )
    .get(everyEntry.lastSequence, sequence) !== null

/** @param firstSequence nothing is sent from here on. Call in a transaction */
export function beginFollowing({ raw }: Raw, firstSequence: number): void {
  const { lastSequence } = everyEntry
  raw.run('INSERT OR IGNORE INTO delivered_elsewhere (last_sequence, first_sequence) VALUES (?, ?)', [
    lastSequence,
    firstSequence,
  ])
  unmark({ raw })
}

/** Call in a transaction. */
export function endFollowing({ raw }: Raw): void {
  raw.run('DELETE FROM delivered_elsewhere WHERE last_sequence = ?', [everyEntry.lastSequence])
  unmark({ raw })
}

/** Says that no link carries what has changed, so that the other nodes of a cluster get a new base. Call in its transaction. */
export const noteUnlinkable = ({ raw }: Raw): void =>
  void raw.run(`UPDATE main.cluster_position SET unlinkable = 'changed'`)

const unmark = ({ raw }: Raw): void =>
  void raw.run(`DELETE FROM cluster_changed WHERE name = 'delivered_elsewhere' AND row = ?`, [everyEntry.lastSequence])
