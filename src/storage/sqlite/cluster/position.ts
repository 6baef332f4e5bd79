import type { Database } from 'bun:sqlite'
import type { LinkPlace } from '../../../cluster/cluster-log.ts'
import type { ReplicaPosition } from '../../../cluster/replica.ts'

/** A repeated batch comes within seconds; a database that fails over may take minutes. */
const takenKeptMs = 10 * 60_000

interface Position extends ReplicaPosition {
  /** How far the entries of the link made last go; `null`: the link that was proposed has no content. */
  madeTo: number | null
  /** Whether it led, and then followed, with something that is in no link. */
  isApart: boolean
}

/** `null`: the folder belongs to no cluster. */
export function readPosition(raw: Database): Position | null {
  const row = raw
    .query<Omit<Position, 'place' | 'isApart'> & { number: number | null; link: string | null; isApart: number }, []>(
      `SELECT cluster, number, link, proposed, linked_to AS linkedTo, made_to AS madeTo, is_apart AS isApart
       FROM cluster_position`,
    )
    .get()
  if (row === null) return null
  const { number, link: id, isApart, ...rest } = row
  return { ...rest, isApart: isApart === 1, place: number === null || id === null ? null : { number, id } }
}

export function knownPosition(raw: Database): Position {
  const position = readPosition(raw)
  if (position === null) throw new Error('the folder belongs to no cluster')
  return position
}

/** Batches whose link is old enough are forgotten. Call in a transaction. */
export function moveTo(raw: Database, { number, id }: LinkPlace): void {
  raw.run('UPDATE cluster_position SET number = ?, link = ?, proposed = NULL, made_to = NULL', [number, id])
  raw.run('DELETE FROM intake_taken WHERE is_linked AND taken_at < (SELECT max(taken_at) FROM intake_taken) - ?', [
    takenKeptMs,
  ])
}

/** Whether a leader's folder holds what no link has. */
export const hasUnlinked = (raw: Database): boolean =>
  raw
    .query<{ found: number }, []>(
      // A process raises the revision of the box and takes that back, to try whether the disk can be written.
      `SELECT EXISTS (SELECT 1 FROM cluster_changed WHERE name <> 'box') OR EXISTS (SELECT 1 FROM cluster_sent)
         OR EXISTS (SELECT 1 FROM intake_taken WHERE NOT is_linked)
         OR (SELECT max(sequence) FROM ledger) > (SELECT linked_to FROM cluster_position) AS found`,
    )
    .get()?.found === 1
