import type { Clock } from '../../../lib/clock.ts'

/** What a step may take, and how long to pause behind it while more waits, in milliseconds. */
interface Turn {
  stepMs: number
  /** What it may take when it folds entries: then it can end early. */
  foldMs: number
  pauseMs: number
}

/** For so long after a commit, captures are coming in. */
const busyMs = 10
const busyTurn: Turn = { stepMs: 1, foldMs: 1, pauseMs: 10 }
/** While commits are as large as this, the processors are wanted for answers: processing waits for a quieter moment. */
const heavyCharacters = 8 * 1024
const heavyTurn: Turn = { ...busyTurn, pauseMs: 100 }

/** For so long after another connection wrote, others are at work here: captures, commands, deliveries. */
const quietMs = 250
/** The pause is for commands that look for a free write lock. */
const sharedTurn: Turn = { stepMs: 3, foldMs: 3, pauseMs: 1 }

/** Nobody else writes. A step that folds ends early when a capture arrives; the rest of its time goes to writing. */
const aloneTurn: Turn = { stepMs: 3, foldMs: 10, pauseMs: 1 }
/**
 * Whoever finds the lock taken looks again after 1, 2, 5, 10 ms and so on, so that pauses of 1 ms would be missed for long:
 * one step in so many is followed by a longer one. The first write that gets through ends the long steps.
 */
const stepsPerBreath = 10
const breathTurn: Turn = { ...aloneTurn, pauseMs: 10 }

/** How the writing thread shares its time and the database's lock between commits, other writers, and processing. */
export class ProcessingTurns {
  private committedAtMs = Number.NEGATIVE_INFINITY
  /** Whether the latest commit was as large as those of a box at its limit. */
  private isHeavy = false
  private othersWroteAtMs = Number.NEGATIVE_INFINITY
  private stepsAlone = 0

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** @param characters of all entries that the commit stores */
  noteCommit(characters: number): void {
    this.committedAtMs = this.clock.monotonicMs()
    this.isHeavy = characters >= heavyCharacters
  }

  /** @param othersWrote whether another connection has written since the turn before */
  next(othersWrote: boolean): Turn {
    const nowMs = this.clock.monotonicMs()
    if (othersWrote) this.othersWroteAtMs = nowMs
    if (nowMs - this.committedAtMs < busyMs) return this.isHeavy ? heavyTurn : busyTurn
    if (nowMs - Math.max(this.othersWroteAtMs, this.committedAtMs) < quietMs) return sharedTurn
    this.stepsAlone++
    return this.stepsAlone % stepsPerBreath === 0 ? breathTurn : aloneTurn
  }
}
