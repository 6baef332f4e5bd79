import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

/** Something that fails now and then is not well again between two failures. */
const calmMs = 10_000
const sameReasonMs = 60 * 60_000
/** Reasons remembered: they are few, and beyond that they are said again. */
const reasonsMax = 20

export interface TroubleOptions {
  begins: string
  ends: string
  log: Pick<Log, 'error' | 'info'>
  clock: Clock
}

/**
 * A fault that comes and goes, in the log: at once when it begins or has another reason, once an hour while it lasts, and
 * once when it is over and has stayed so for 10 s.
 */
export class Trouble {
  private readonly loggedAtMs = new Map<string, number>()
  private sinceMs: number | null = null
  private lastMs = 0
  /** When it worked again after the last failure; `null`: it has not. */
  private overMs: number | null = null

  constructor(private readonly options: TroubleOptions) {}

  /** It fails, again or still. The reason goes into the log: nothing personal, no secret. */
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

  /** To be called now and then, since nothing happens when it stays well. */
  look(): void {
    if (this.sinceMs === null || this.overMs === null) return
    const nowMs = this.options.clock.monotonicMs()
    if (nowMs - this.lastMs < calmMs) return
    this.options.log.info(this.options.ends, { lastedSeconds: Math.ceil((this.overMs - this.sinceMs) / 1000) })
    this.sinceMs = null
    this.loggedAtMs.clear()
  }
}
