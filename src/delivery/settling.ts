import type { Clock } from '../lib/clock.ts'
import type { Attempt } from './attempt.ts'
import type { Outbox, Parcel, Settlement } from './outbox.ts'
import { nextAttemptAt } from './schedule.ts'

/** Outcomes that are written together: a transaction each would keep captures waiting for the disk. */
const collectMs = 20
/** Deliveries whose outcomes are written at once: a longer transaction would keep captures waiting. A mail may carry a hundred. */
const batchMax = 64
/** Before they are tried again, when the disk is full or the database busy. */
const failedMs = 1000

interface SettlingParts {
  outbox: Pick<Outbox, 'settle'>
  clock: Pick<Clock, 'now'>
  /** From 0 up to 1. */
  random: () => number
  /** Called once outcomes are kept. */
  onSettled: (parcels: Parcel[]) => void
  onFailure: (error: unknown) => void
}

/** Keeps what became of parcels, several in a transaction. None is let go of before it is kept. */
export class Settling {
  private readonly waiting: Settlement[] = []
  private running: Promise<void> | null = null
  private isStopping = false

  constructor(private readonly parts: SettlingParts) {}

  add(parcel: Parcel, attempt: Attempt): void {
    const { clock, random } = this.parts
    const at = clock.now()
    const nextAt = parcel.deliveries.map(({ scheduleStep, nextAt }) => {
      if (attempt.isLast === true) return null
      if (attempt.outcome === 'gone') return at
      if (nextAt > at) return nextAt
      const { retryAfterMs } = attempt
      return nextAttemptAt({ attempts: scheduleStep + 1, retryAfterMs, now: at, random: random() })
    })
    this.waiting.push({ parcel, attempt, at, nextAt })
    this.running ??= this.run().finally(() => {
      this.running = null
    })
  }

  /** Resolves when nothing waits to be kept. */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running
  }

  /** Keeps what waits at once. What cannot be kept is sent again by the next start. */
  async stop(): Promise<void> {
    this.isStopping = true
    while (this.waiting.length > 0 && (await this.keep()));
  }

  private async run(): Promise<void> {
    for (let pauseMs = collectMs; this.waiting.length > 0 && !this.isStopping; ) {
      if (this.waiting.length < batchMax || pauseMs === failedMs) await Bun.sleep(pauseMs)
      pauseMs = (await this.keep()) ? collectMs : failedMs
    }
  }

  private nextBatch(): Settlement[] {
    let deliveries = 0
    let end = 0
    for (; end < this.waiting.length && deliveries < batchMax; end++)
      deliveries += this.waiting[end]?.parcel.deliveries.length ?? 0
    return this.waiting.splice(0, end)
  }

  private async keep(): Promise<boolean> {
    const settlements = this.nextBatch()
    if (settlements.length === 0) return true
    try {
      await this.parts.outbox.settle(settlements)
    } catch (error) {
      this.waiting.unshift(...settlements)
      this.parts.onFailure(error)
      return false
    }
    this.parts.onSettled(settlements.map(({ parcel }) => parcel))
    return true
  }
}
