import type { Connection } from '../database/connection.ts'

interface Run {
  first: number
  last: number
}

/** Entries that another box delivered (`deliveredElsewhere` in processing-schema.ts). */
export class DeliveredElsewhere {
  private readonly touching: ReturnType<typeof prepareTouching>

  constructor(connection: Connection) {
    this.touching = prepareTouching(connection)
  }

  /** Learns it for consecutive entries of the ledger, in one statement. */
  among(rows: readonly { sequence: number }[]): (sequence: number) => boolean {
    const from = rows[0]?.sequence
    const to = rows.at(-1)?.sequence
    const runs = from === undefined || to === undefined ? [] : this.touching.all(from, to)
    if (runs.length === 0) return no
    return (sequence) => runs.some(({ first, last }) => first <= sequence && sequence <= last)
  }
}

const no = (): boolean => false

const prepareTouching = ({ raw }: Connection) =>
  raw.query<Run, [number, number]>(
    `SELECT first_sequence AS first, last_sequence AS last FROM delivered_elsewhere
     WHERE last_sequence >= ?1 AND first_sequence <= ?2`,
  )
