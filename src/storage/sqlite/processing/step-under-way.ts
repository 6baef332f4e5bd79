import type { FoldedRow } from './folding.ts'

/** What a step that folds entries may take. */
export interface FoldTime {
  msMax: number
  /** Once it is, the step takes no more entries: what it has folded is left to write. */
  isAwaited: () => boolean
}

/** How far a step has come: what a fault of it is judged by. */
export class StepUnderWay {
  /** The sequence that it begins behind. */
  begin = 0
  /** The sequence of the last entry that was folded. */
  cursor = 0
  first: FoldedRow | null = null
  /** Entries folded. */
  taken = 0
  /** Entries that are loaded for or written together, those folded included: any of them may be at fault. 0: none is. */
  together = 0
  /** Rows of the ledger that are being read: then no entry is at fault. 0: none are. */
  reading = 0
  /** When it had only to be written. */
  foldedAtMs = 0
  /** When it had only to be committed. What the disk takes for that is no matter of how many entries there are. */
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

  /** Entries that the next step may take, so that it ends before the fault or comes nearer to it. 0: the first is at fault. */
  get sound(): number {
    return this.together > 0 ? Math.floor(this.together / 2) : this.taken
  }

  /** The same of a place that cannot be read. */
  get readable(): number {
    return this.taken > 0 ? this.taken : Math.floor(this.reading / 2)
  }
}
