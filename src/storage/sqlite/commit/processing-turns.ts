import type { Clock } from '../../../lib/clock.ts'

/** What a step may take, and the pause after it while more waits, in milliseconds. */
interface Turn {
  stepMs: number
  /** The limit for a step that folds entries. */
  foldMs: number
  /** Whether a capture that arrives ends such a step early. */
  yields: boolean
  pauseMs: number
}

/** How long after a commit captures count as coming in. */
const busyMs = 10
/** Would be ended by the next capture before it has folded more than an entry or two, so it does not yield. */
const busyTurn: Turn = { stepMs: 2, foldMs: 2, yields: false, pauseMs: 15 }
/** With commits this large, the processors are needed for answers: most of processing waits for a quieter moment. */
const heavyCharacters = 8 * 1024
const heavyTurn: Turn = { stepMs: 3, foldMs: 3, yields: false, pauseMs: 100 }

/** How long after another connection's write others count as being at work: captures, commands, deliveries. */
const quietMs = 250
/** In the pause, commands find the write lock free. */
const sharedTurn: Turn = { stepMs: 3, foldMs: 3, yields: true, pauseMs: 1 }

/** Nobody else writes. A capture that arrives ends a folding step early; only writing what it folded is left. */
const aloneTurn: Turn = { ...sharedTurn, foldMs: 10 }
/**
 * A writer that finds the lock taken looks again after 1, 2, 5, 10 ms and so on, and would miss pauses of 1 ms for
 * long. One step in so many is therefore followed by a longer pause. The first write that succeeds ends the long steps.
 */
const stepsPerBreath = 10
const breathTurn: Turn = { ...aloneTurn, pauseMs: 10 }

/** How the writing thread divides its time and the database's lock among commits, other writers and processing. */
export class ProcessingTurns {
  private committedAtMs = Number.NEGATIVE_INFINITY
  /** Whether the latest commit was as large as on a box at its limit. */
  private isHeavy = false
  private othersWroteAtMs = Number.NEGATIVE_INFINITY
  private stepsAlone = 0

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** @param characters of all entries in the commit */
  noteCommit(characters: number): void {
    this.committedAtMs = this.clock.monotonicMs()
    this.isHeavy = characters >= heavyCharacters
  }

  /** @param othersWrote whether another connection has written since the previous turn */
  next(othersWrote: boolean): Turn {
    const nowMs = this.clock.monotonicMs()
    if (othersWrote) this.othersWroteAtMs = nowMs
    if (nowMs - this.committedAtMs < busyMs) return this.isHeavy ? heavyTurn : busyTurn
    if (nowMs - Math.max(this.othersWroteAtMs, this.committedAtMs) < quietMs) return sharedTurn
    this.stepsAlone++
    return this.stepsAlone % stepsPerBreath === 0 ? breathTurn : aloneTurn
  }
}
