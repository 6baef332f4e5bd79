import type { Database } from 'bun:sqlite'
import type { LinkPlace } from '../../../cluster/cluster-log.ts'
import type { ReplicaPosition } from '../../../cluster/replica.ts'
import type { Clock } from '../../../lib/clock.ts'

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
      `SELECT cluster, number, link, proposed, linked_to AS linkedTo, made_to AS madeTo, is_apart AS isApart, run
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

/** @param oldTo batches that came before this link are forgotten; `null`: none. Call in a transaction. */
export function moveTo(raw: Database, { number, id }: LinkPlace, oldTo: number | null): void {
  raw.run('UPDATE cluster_position SET number = ?, link = ?, proposed = NULL, made_to = NULL', [number, id])
  if (oldTo !== null) raw.run('DELETE FROM intake_taken WHERE is_linked AND at_link < ?', [oldTo])
}

/** A repeated batch comes within seconds; a database that fails over may take minutes. */
const takenKeptMs = 10 * 60_000
const notedEveryMs = 60_000

/** Which links came so long ago that no batch comes again from before them, by what this process has seen pass. */
export class OldLinks {
  /** Oldest first. */
  private readonly seen: { number: number; atMs: number }[] = []

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** Notes a link that comes now. @returns the last that came long enough ago; `null`: it is the same as before */
  note({ number }: LinkPlace): number | null {
    const { seen } = this
    const nowMs = this.clock.monotonicMs()
    if (nowMs - (seen.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < notedEveryMs) return null
    seen.push({ number, atMs: nowMs })
    const old = seen.findLastIndex(({ atMs }) => nowMs - atMs >= takenKeptMs)
    return seen.splice(0, old + 1).at(-1)?.number ?? null
  }
}

/** Whether something has changed that only a base carries. */
export const needsBase = (raw: Database): boolean =>
  raw.query('SELECT 1 FROM cluster_position WHERE unlinkable IS NOT NULL').get() !== null

export const lastEntry = (raw: Database): number =>
  raw.query<{ last: number | null }, []>('SELECT max(sequence) AS last FROM ledger').get()?.last ?? 0

/** Whether a leader's folder holds what no link has. */
export const hasUnlinked = (raw: Database): boolean =>
  raw
    .query<{ found: number }, []>(
      // A process raises the revision of the box and takes that back, to try whether the disk can be written.
      `SELECT EXISTS (SELECT 1 FROM cluster_changed WHERE name <> 'box') OR EXISTS (SELECT 1 FROM cluster_sent)
         OR EXISTS (SELECT 1 FROM intake_taken WHERE NOT is_linked) OR (SELECT unlinkable FROM cluster_position) IS NOT NULL
         OR (SELECT max(sequence) FROM ledger) > (SELECT linked_to FROM cluster_position) AS found`,
    )
    .get()?.found === 1
