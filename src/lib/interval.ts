import { type Clock, systemClock } from './clock.ts'
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

const onceEveryMs = 60_000

interface FailureNotice {
  message: string
  log: Pick<Log, 'error'>
  clock: Pick<Clock, 'monotonicMs'>
}

/** Logs repeated failures: a new reason at once, the same one once a minute. A full disk fails twice a second. */
export function failureNotice({ message, log, clock }: FailureNotice): (error: unknown) => void {
  let lastReason = ''
  let lastAtMs = Number.NEGATIVE_INFINITY
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    const nowMs = clock.monotonicMs()
    if (reason === lastReason && nowMs - lastAtMs < onceEveryMs) return
    lastReason = reason
    lastAtMs = nowMs
    log.error(message, { error: reason })
  }
}
