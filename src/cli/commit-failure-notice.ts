import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

const onceEveryMs = 60_000

/** Logs failed commits: at once when the reason is a new one, else once a minute, since a full disk fails twice a second. */
export function commitFailureNotice(log: Pick<Log, 'error'>, clock: Clock): (error: unknown) => void {
  let lastReason = ''
  let lastAtMs = Number.NEGATIVE_INFINITY
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    const nowMs = clock.monotonicMs()
    if (reason === lastReason && nowMs - lastAtMs < onceEveryMs) return
    lastReason = reason
    lastAtMs = nowMs
    log.error('What was captured cannot be stored: it is answered with 503 until the disk takes it again.', {
      error: reason,
    })
  }
}
