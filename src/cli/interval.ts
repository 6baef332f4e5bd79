import type { Log } from '../lib/log.ts'

export interface Interval {
  /** No further run begins; resolves when the one under way is done. */
  stop(): Promise<void>
}

/** Runs the work again and again, never twice at once. A failure is logged, and does not end it. */
export function everyInterval(ms: number, work: () => Promise<void>, log: Log): Interval {
  let running: Promise<void> | null = null
  const run = async () => {
    try {
      await work()
    } catch (error) {
      log.error('Work in the background failed; it is tried again.', {
        error: error instanceof Error ? error.message : String(error),
      })
    }
  }
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = null
    })
  }, ms)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
