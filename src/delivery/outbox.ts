import type { Destination } from '../account/destination.ts'
import type { Clock } from '../lib/clock.ts'
import type { MailAddress } from '../lib/mail-address.ts'

export type DeliveryState = 'waiting' | 'delivered' | 'failed'

/** Storage's keys of a destination and of a row of the outbox; they mean nothing elsewhere. */
export type DestinationKey = number & { readonly __of: 'destination' }
export type DeliveryKey = number & { readonly __of: 'delivery' }

/** A destination with something due. */
export interface ReadyDestination {
  key: DestinationKey
  accountId: string
  /** Its latest attempt failed. */
  isFailing: boolean
  /** It is reached through the box's one mail server. */
  isMail: boolean
}

/** The content of one attempt: one delivery, or for a mail all that wait for its destination and form. */
export interface Parcel {
  key: DestinationKey
  accountId: string
  destination: Destination
  /** The secrets that sign, latest first. Webhooks only. */
  secrets: readonly string[]
  /** At least one. */
  deliveries: readonly PackedDelivery[]
  /** Of a mail's form, deliveries that wait for the next mail; counted up to `furtherMax`. */
  further: number
  /** The account's `mail_from`; `null`: it has none. */
  mailFrom: MailAddress | null
}

export interface PackedDelivery {
  key: DeliveryKey
  id: string
  /** `null`: a report. */
  submissionId: string | null
  /** `null`: a report. */
  formId: string | null
  /** The period of a report, as `dueReports` names it: `2026-10`, `2026-W42`, `2026-10-12`. */
  period: string | null
  /** When the submission began to count, or the report was due, epoch milliseconds. */
  createdAt: number
  /** Failed attempts in the present schedule. */
  scheduleStep: number
  /**
   * When it is due, epoch milliseconds. A delivery that is not due yet may join a mail, whose failure then does not
   * count for it.
   */
  nextAt: number
  /** As first sent; `null`: nothing was kept. */
  body: string | null
  /** The submission came before its destination. */
  isBackfilled: boolean
}

export interface TakeOptions {
  now: number
  underWay: ReadonlySet<DeliveryKey>
}

/** The outcome of a parcel. */
export interface Settlement {
  parcel: Parcel
  attempt: Attempt
  /** When the attempt ended, epoch milliseconds. */
  at: number
  /** For each delivery that did not succeed, in the order of the parcel: when it is retried; `null`: it has failed. */
  nextAt: readonly (number | null)[]
}

/**
 * What is to be sent, and the outcomes.
 *
 * Guarantees: a row is written in the transaction that processes its submission, and stays until it is settled,
 * whatever is killed; settling a row that is gone changes nothing. Nothing of a paused destination or of a removed
 * account is ready.
 */
export interface Outbox {
  /** Destinations with something due, each once. */
  ready(now: number): Promise<ReadyDestination[]>
  /** The destination's next parcel; `null`: nothing is due besides what is under way. */
  take(destination: DestinationKey, options: TakeOptions): Promise<Parcel | null>
  /** Records that attempts begin, and with which body, so that after a crash it is known who may have been told. */
  begin(begun: readonly { parcel: Parcel; body: string | null }[], at: number): Promise<void>
  /** Stores outcomes and exchanges. A destination that answered 410 or failed for days is paused. */
  settle(settlements: readonly Settlement[]): Promise<void>
  /** Whether others have changed something since the last call. */
  hasChanged(): boolean
  /** Deletes exchanges and bodies settled before then, and what removed destinations had waiting, in small steps. */
  clean(before: number): Promise<void>
}

/** The outcome of one attempt at a delivery. */
export interface Attempt {
  /** `gone`: the receiver wants nothing more (410), so its destination is paused. */
  outcome: 'delivered' | 'failed' | 'gone'
  /** The receiver's code, of HTTP or SMTP; `null`: it never answered. */
  status: number | null
  /** One sentence that says what to do; `null`: nothing. A delivered mail may still have a recipient to correct. */
  error: string | null
  /** Another try would be wrong, or might repeat what the receiver may be told only once. Absent: it is retried. */
  isLast?: boolean
  /** How long the receiver asks to be left alone; `null`: it does not say. */
  retryAfterMs: number | null
  /** The dialogue as it happened, without secrets, at most `exchangeCharactersMax` long. */
  exchange: string
}

const exchangeCharactersMax = 16_384

/** Cut to the length that is kept of an exchange. */
export const boundedExchange = (text: string): string =>
  text.length <= exchangeCharactersMax ? text : `${text.slice(0, exchangeCharactersMax - cutMark.length)}${cutMark}`

const cutMark = '\n[cut here]'

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
/** Leads in one mail; others wait for the next one, and are counted up to a bound. */
export const leadsPerMailMax = 100
export const furtherMax = 10_000

/** When the next mail about a form may be sent, epoch milliseconds: at once, or five minutes after the last one. */
export function mailDueAt(sentAt: number | null, now: number): number {
  // A clock that was set back must not hold mail longer.
  if (sentAt === null || sentAt > now) return now
  return Math.max(now, sentAt + mailPauseMs)
}
