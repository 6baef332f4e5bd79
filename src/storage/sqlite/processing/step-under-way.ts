import type { FoldedRow } from './folding.ts'

/** The limits of a step that folds entries. */
export interface FoldTime {
  msMax: number
  /** From then on, the step takes no more entries and only writes what it has folded. */
  isAwaited: () => boolean
}

/** How far a step has come; used to judge a fault. */
export class StepUnderWay {
  /** The sequence after which it begins. */
  begin = 0
  /** The sequence of the last folded entry. */
  cursor = 0
  first: FoldedRow | null = null
  /** Entries folded. */
  taken = 0
  /** Folded entries being written together: any of them may be at fault. 0: none is. */
  together = 0
  /** Ledger rows being read: then no entry is at fault. 0: none. */
  reading = 0
  /** When only writing was left. */
  foldedAtMs = 0
  /** When only the commit was left. Its time depends on the disk, not on the number of entries. */
  keptAtMs = 0

  readonly deadlineMs: number
  readonly isAwaited: () => boolean

  constructor(
    readonly startedAtMs: number,
    { msMax, isAwaited }: FoldTime,
  ) {
    this.deadlineMs = startedAtMs + msMax
    this.isAwaited = isAwaited
  }

  beginBehind(cursor: number): void {
    this.begin = cursor
    this.cursor = cursor
  }

  /** How many entries the next step may take to end before the fault or get nearer to it. 0: the first is at fault. */
  get sound(): number {
    return this.together > 0 ? Math.floor(this.together / 2) : this.taken
  }

  /** The same for an unreadable place. */
  get readable(): number {
    return this.taken > 0 ? this.taken : Math.floor(this.reading / 2)
  }
}
