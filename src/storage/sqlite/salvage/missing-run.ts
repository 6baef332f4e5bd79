import type { MissingRecords } from '../../../ledger/ledger.ts'

/** Ids named for a run. */
export const idsNamedMax = 10

interface MissingRunOptions {
  tell: (missing: MissingRecords) => void
  /** Ids that an index has for these numbers. */
  idsWithin: (first: number, last: number) => string[]
  /** Receipt of the last readable record before them; `null`: none. */
  receivedAfter: number | null
}

/** Collects missing numbers one by one, and reports each run once it has ended. */
export class MissingRun {
  private run: { first: number; last: number; count: number | null } | null = null
  private receivedAfter: number | null

  constructor(private readonly options: MissingRunOptions) {
    this.receivedAfter = options.receivedAfter
  }

  /** `isCertain`: whether a record is known to exist under the number. */
  add(sequence: number, isCertain: boolean): void {
    this.run ??= { first: sequence, last: sequence, count: 0 }
    this.run.last = sequence
    this.run.count = isCertain && this.run.count !== null ? this.run.count + 1 : null
  }

  /** A readable record, received at that time (epoch milliseconds), follows what was added. */
  endBefore(receivedAt: number): void {
    this.end(receivedAt)
    this.receivedAfter = receivedAt
  }

  /** `null`: no readable record follows. */
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
