import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

/** An intermittent fault is not over between two failures. */
const calmMs = 10_000
const sameReasonMs = 60 * 60_000
/** Limits the remembered reasons. Beyond it they are logged again. */
const reasonsMax = 20

interface TroubleOptions {
  begins: string
  ends: string
  log: Pick<Log, 'error' | 'info'>
  clock: Clock
}

/**
 * Logs an intermittent fault: at once when it begins or its reason changes, hourly while it lasts, and once when it has been over for
 * 10 s.
 */
export class Trouble {
  private readonly loggedAtMs = new Map<string, number>()
  private sinceMs: number | null = null
  private lastMs = 0
  /** The first success after the last failure; `null`: none. */
  private overMs: number | null = null

  constructor(private readonly options: TroubleOptions) {}

  /** Records a failure. The reason is logged, so it must contain no personal data or secret. */
  failed(reason: string): void {
    const nowMs = this.options.clock.monotonicMs()
    this.sinceMs ??= nowMs
    this.lastMs = nowMs
    this.overMs = null
    if (nowMs - (this.loggedAtMs.get(reason) ?? Number.NEGATIVE_INFINITY) < sameReasonMs) return
    if (this.loggedAtMs.size >= reasonsMax) this.loggedAtMs.clear()
    this.loggedAtMs.set(reason, nowMs)
    this.options.log.error(this.options.begins, { reason })
  }

  /** It worked. */
  worked(): void {
    this.overMs ??= this.options.clock.monotonicMs()
  }

  /** Call it regularly to detect the end of the fault. */
  look(): void {
    if (this.sinceMs === null || this.overMs === null) return
    const nowMs = this.options.clock.monotonicMs()
    if (nowMs - this.lastMs < calmMs) return
    this.options.log.info(this.options.ends, { lastedSeconds: Math.ceil((this.overMs - this.sinceMs) / 1000) })
    this.sinceMs = null
    this.loggedAtMs.clear()
  }
}
