import type { DestinationKind } from '../account/destination.ts'
import type { Clock } from '../lib/clock.ts'
import { failureNotice } from '../lib/failure-notice.ts'
import type { Log } from '../lib/log.ts'
import type { Attempt } from './attempt.ts'
import { type Carrier, type LoadedParcel, unattempted } from './carrier.ts'
import type { LeadReader } from './lead.ts'
import type { DeliveryKey, Outbox, Parcel, ReadyDestination } from './outbox.ts'
import type { ReportLetter, ReportWriter } from './report-letter.ts'
import { Settling } from './settling.ts'
import { Slots } from './slots.ts'

export interface DelivererParts {
  outbox: Outbox
  leads: LeadReader
  reports: ReportWriter
  carriers: Readonly<Record<DestinationKind, Carrier>>
  clock: Clock
  /** From 0 up to 1. */
  random: () => number
  log: Log
}

/** What is due by the clock alone is looked for so often, if nobody has changed anything. */
const lookMs = 1000
const cleanMs = 3_600_000
/** How long exchanges and bodies are kept (contract section 14). */
export const exchangesKeptMs = 30 * 86_400_000

/**
 * Sends what is due, fairly and bounded, and keeps what became of it. The queue is the outbox: at most what is under way is in
 * memory. `turn` is called several times a second; whatever ends an attempt makes a turn of its own.
 */
export class Deliverer {
  private readonly slots = new Slots()
  private readonly underWay = new Set<DeliveryKey>()
  private readonly attempts = new Set<Promise<void>>()
  private readonly failed: (error: unknown) => void
  private ready: ReadyDestination[] = []
  private readonly settling: Settling
  private turning: Promise<void> | null = null
  private isTurnWanted = false
  private isStopping = false
  private lookedAtMs = Number.NEGATIVE_INFINITY
  private cleanedAtMs = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: DelivererParts) {
    const { log, clock } = parts
    this.failed = failureNotice({ message: 'Deliveries cannot be read or kept; it is tried again.', log, clock })
    this.settling = new Settling({
      ...parts,
      onSettled: (parcels) => {
        for (const parcel of parcels) this.release(parcel)
        void this.turn()
      },
      onFailure: this.failed,
    })
  }

  /** Begins what is due and has room. None of the attempts is waited for. */
  turn(): Promise<void> {
    this.isTurnWanted = true
    this.turning ??= this.turns().finally(() => {
      this.turning = null
    })
    return this.turning
  }

  /** Resolves when nothing is under way that was begun. For tests. */
  async settled(): Promise<void> {
    while (this.attempts.size > 0) await Promise.all(this.attempts)
    await this.settling.idle()
  }

  /** Begins nothing more, and waits so long for what is under way; what is cut is sent again by the next start. */
  async stop(msMax: number): Promise<void> {
    this.isStopping = true
    await Promise.race([this.settled(), Bun.sleep(msMax)])
    await this.settling.stop()
  }

  private async turns(): Promise<void> {
    while (this.isTurnWanted && !this.isStopping) {
      this.isTurnWanted = false
      try {
        await this.look()
        await this.begin()
        await this.clean()
      } catch (error) {
        this.failed(error)
      }
    }
  }

  private async look(): Promise<void> {
    const { outbox, clock } = this.parts
    const isDue = clock.monotonicMs() - this.lookedAtMs >= lookMs
    if (!outbox.hasChanged() && !isDue) return
    this.lookedAtMs = clock.monotonicMs()
    this.ready = await outbox.ready(clock.now())
    if (this.ready.length === 0) this.slots.forgetIdle()
  }

  private async begin(): Promise<void> {
    const { outbox, clock } = this.parts
    const begun: { parcel: LoadedParcel; body: string | null; missing: boolean }[] = []
    for (let next = this.slots.next(this.ready); next !== null; next = this.slots.next(this.ready)) {
      const parcel = await outbox.take(next.key, { now: clock.now(), underWay: this.underWay })
      if (parcel === null) this.drop(next)
      else {
        this.slots.take(next)
        for (const { key } of parcel.deliveries) this.underWay.add(key)
        begun.push(await this.loaded(parcel))
      }
    }
    if (begun.length === 0) return
    try {
      await outbox.begin(begun, clock.now())
    } catch (error) {
      for (const { parcel } of begun) this.release(parcel)
      throw error
    }
    for (const { parcel, body, missing } of begun) this.run(parcel, missing ? cannotRead : this.attempt(parcel, body))
  }

  private drop(destination: ReadyDestination): void {
    this.ready = this.ready.filter(({ key }) => key !== destination.key)
  }

  private async loaded(parcel: Parcel): Promise<{ parcel: LoadedParcel; body: string | null; missing: boolean }> {
    const ids = parcel.deliveries.flatMap(({ submissionId }) => submissionId ?? [])
    const found = await this.parts.leads.leads(parcel.accountId, ids)
    const leads = found.filter((lead) => lead !== null)
    const loaded = { ...parcel, leads, report: await this.report(parcel) }
    const missing = leads.length === 0 && ids.length > 0
    const kept = parcel.deliveries[0]?.body ?? null
    return { parcel: loaded, body: missing ? null : (kept ?? this.carrier(parcel).body(loaded)), missing }
  }

  /** Made once: what is kept of the first try is sent by every other. */
  private async report({ accountId, deliveries: [delivery] }: Parcel): Promise<ReportLetter | null> {
    const period = delivery?.period ?? null
    if (period === null || delivery?.body !== null) return null
    try {
      return await this.parts.reports.letter({ accountId, period, isExample: false })
    } catch (error) {
      this.parts.log.error('A report could not be made; it is tried again.', { reason: nameOf(error) })
      return null
    }
  }

  private carrier({ destination }: Pick<Parcel, 'destination'>): Carrier {
    return this.parts.carriers[destination.kind]
  }

  private async attempt(parcel: LoadedParcel, body: string | null): Promise<Attempt> {
    try {
      return await this.carrier(parcel).attempt(parcel, body)
    } catch (error) {
      // A fault of ours: its text may quote what was to be sent.
      const { kind } = parcel.destination
      this.parts.log.error('A delivery could not be attempted.', { kind, reason: nameOf(error) })
      return unattempted('This box could not make the message; please report it with `capture version`.')
    }
  }

  private run(parcel: LoadedParcel, attempt: Promise<Attempt>): void {
    const done = attempt
      .then((outcome) => this.settling.add(parcel, outcome))
      .finally(() => {
        this.attempts.delete(done)
      })
    this.attempts.add(done)
  }

  private release(parcel: Parcel): void {
    this.slots.release(parcel)
    for (const { key } of parcel.deliveries) this.underWay.delete(key)
  }

  private async clean(): Promise<void> {
    const { outbox, clock } = this.parts
    if (clock.monotonicMs() - this.cleanedAtMs < cleanMs) return
    this.cleanedAtMs = clock.monotonicMs()
    await outbox.clean(clock.now() - exchangesKeptMs)
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

const cannotRead = Promise.resolve(
  unattempted('The submission cannot be read from the data folder; run `capture doctor`.'),
)
