import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const onceEveryMs = 60_000

interface FailureNotice {
  message: string
  log: Pick<Log, 'error'>
  clock: Clock
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
