import { NoAnswerYet } from './remote-box.ts'

/** After so many tries in a row without any progress the connection is given up. */
const triesMax = 5
const pauseMsMin = 1000

export interface Persistence {
  /** Grows as the work gets on; a try that got on starts the count of tries again. */
  progress(): number
  onPause(pauseMs: number): void
  /** Each pause is twice the one before. */
  firstPauseMs?: number
}

/** Does the work, and does it again when the box gave no answer, with growing pauses. @throws the last NoAnswerYet */
export async function persistently<T>(
  work: () => Promise<T>,
  { progress, onPause, firstPauseMs = pauseMsMin }: Persistence,
): Promise<T> {
  let tries = 0
  let best = progress()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoAnswerYet)) throw error
      tries = progress() > best ? 1 : tries + 1
      best = progress()
      if (tries >= triesMax) throw error
      const pauseMs = firstPauseMs * 2 ** (tries - 1)
      onPause(pauseMs)
      await Bun.sleep(pauseMs)
    }
  }
}
