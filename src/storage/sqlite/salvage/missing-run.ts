import type { MissingRecords } from '../../../ledger/ledger.ts'

/** Ids that are named of a run. */
export const idsNamedMax = 10

interface MissingRunOptions {
  tell: (missing: MissingRecords) => void
  /** Ids that an index has under these numbers. */
  idsWithin: (first: number, last: number) => string[]
  /** Receipt of the readable record before the first one; `null`: there is none. */
  receivedAfter: number | null
}

/** Gathers what is missing, one number after the other, and tells of each run of it once it has ended. */
export class MissingRun {
  private run: { first: number; last: number; count: number | null } | null = null
  private receivedAfter: number | null

  constructor(private readonly options: MissingRunOptions) {
    this.receivedAfter = options.receivedAfter
  }

  /** `isCertain`: whether it is known that there is a record under the number. */
  add(sequence: number, isCertain: boolean): void {
    this.run ??= { first: sequence, last: sequence, count: 0 }
    this.run.last = sequence
    this.run.count = isCertain && this.run.count !== null ? this.run.count + 1 : null
  }

  /** A readable record, received then (epoch milliseconds), stands behind what was added. */
  endBefore(receivedAt: number): void {
    this.end(receivedAt)
    this.receivedAfter = receivedAt
  }

  /** `null`: no readable record comes behind it. */
  end(receivedBefore: number | null = null): void {
    if (this.run === null) return
    const { first, last, count } = this.run
    this.run = null
    const { receivedAfter } = this
    const ids = this.options.idsWithin(first, last)
    this.options.tell({
      fault: 'missing',
      first: String(first),
      last: String(last),
      count,
      ids,
      receivedAfter,
      receivedBefore,
    })
  }
}
