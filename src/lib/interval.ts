import { systemClock } from './clock.ts'
import { failureNotice } from './failure-notice.ts'
import type { Log } from './log.ts'

export interface PeriodicWork {
  /** No further run begins; resolves when the present one is done. */
  stop(): Promise<void>
}

/** Runs the work again and again, never twice at once. A failure is logged and does not stop it. */
export function everyInterval(ms: number, work: () => Promise<void>, log: Pick<Log, 'error'>): PeriodicWork {
  const message = 'Background work failed and is retried. If this continues, run capture doctor.'
  const onFailure = failureNotice({ message, log, clock: systemClock })
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= work()
      .catch(onFailure)
      .finally(() => {
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
