import { NoAnswerYet, StillUnderWay } from './remote-box.ts'

/** After so many tries in a row without any progress the connection is given up. */
const triesMax = 5
const pauseMsMin = 1000
/** A box that is still at the first call is asked again for an hour, in pauses of 5 s. */
const asksMax = 720
const askAgainMs = 5000

export interface Persistence {
  /** Grows as the work gets on; a try that got on starts the count of tries again. */
  progress(): number
  onPause(pauseMs: number): void
  /** The first call arrived, and the box is still at it. Told once. */
  onUnderWay(): void
  /** Each pause is twice the one before. */
  firstPauseMs?: number
  /** Between two questions while the first call is under way. */
  askAgainMs?: number
}

/**
 * Does the work, and does it again when the box gave no answer, with growing pauses; or when it is still at the first call, for up
 * to an hour. @throws the last NoAnswerYet
 */
export async function persistently<T>(
  work: () => Promise<T>,
  { progress, onPause, onUnderWay, firstPauseMs = pauseMsMin, askAgainMs: askMs = askAgainMs }: Persistence,
): Promise<T> {
  let tries = 0
  let asks = 0
  let best = progress()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoAnswerYet)) throw error
      if (error instanceof StillUnderWay) {
        if (asks === asksMax) throw error
        if (asks === 0) onUnderWay()
        asks++
        tries = 0
        await Bun.sleep(askMs)
        continue
      }
      tries = progress() > best ? 1 : tries + 1
      best = progress()
      if (tries >= triesMax) throw error
      const pauseMs = firstPauseMs * 2 ** (tries - 1)
      onPause(pauseMs)
      await Bun.sleep(pauseMs)
    }
  }
}
