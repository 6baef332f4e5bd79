import type { Clock } from '../lib/clock.ts'
import type { Attempt, Outbox, Parcel, Settlement } from './outbox.ts'

/** Outcomes of this time are written together: with a transaction each, captures would wait for the disk. */
const collectMs = 20
/** Outcomes written at once: a longer transaction would keep captures waiting. A mail may carry a hundred. */
const batchMax = 64
/** Pause before the next try when the disk is full or the database busy. */
const failedMs = 1000

interface SettlingParts {
  outbox: Pick<Outbox, 'settle'>
  clock: Pick<Clock, 'now'>
  /** In the range [0, 1). */
  random: () => number
  /** Called once outcomes are stored. */
  onSettled: (parcels: Parcel[]) => void
  onFailure: (error: unknown) => void
}

/** Stores the outcomes of parcels, several in a transaction. Keeps each in memory until it is stored. */
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

  /** Resolves when no outcome waits to be stored. */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running
  }

  /** Stores what waits at once. What cannot be stored is sent again after the next start. */
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

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Pauses before each attempt (docs/deliveries.md); after the last one, a delivery has failed. */
const pausesMs: readonly number[] = [
  0,
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
]

const jitter = 0.2
/** A receiver's `Retry-After` is heeded up to this. */
const retryAfterMsMax = hourMs

interface FailedAttempt {
  /** Failed attempts, including this one. */
  attempts: number
  retryAfterMs: number | null
  /** Epoch milliseconds. */
  now: number
  /** In the range [0, 1). */
  random: number
}

/** When to try again, epoch milliseconds; `null`: never, the delivery has failed. */
export function nextAttemptAt({ attempts, retryAfterMs, now, random }: FailedAttempt): number | null {
  const pauseMs = pausesMs[attempts]
  if (pauseMs === undefined) return null
  const jittered = pauseMs * (1 - jitter + 2 * jitter * random)
  const asked = Math.min(retryAfterMs ?? 0, retryAfterMsMax)
  return now + Math.round(Math.max(jittered, asked))
}

/** Between two mails about one form to one destination (docs/mail.md). */
const mailPauseMs = 300_000
/** Leads in one mail; others wait for the next one. */
export const leadsPerMailMax = 100

/** When the next mail about a form may be sent, epoch milliseconds: at once, or five minutes after the last one. */
export function mailDueAt(sentAt: number | null, now: number): number {
  // A clock that was set back must not hold mail longer.
  if (sentAt === null || sentAt > now) return now
  return Math.max(now, sentAt + mailPauseMs)
}
