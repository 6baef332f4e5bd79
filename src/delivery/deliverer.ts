import { type DestinationKind, isReachedByMail } from '../account/destination.ts'
import type { Clock } from '../lib/clock.ts'
import { failureNotice } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
import { type Carrier, type LoadedParcel, unattempted } from './carrier.ts'
import type { LeadReader } from './lead.ts'
import type { MailServer } from './mail/mail-server.ts'
import {
  type Attempt,
  type DeliveryKey,
  type DeliveryState,
  type Outbox,
  type Parcel,
  type ReadyDestination,
  Settling,
} from './outbox.ts'
import type { ReportLetter, ReportWriter } from './report-letter.ts'
import { Slots } from './slots.ts'

interface DelivererParts extends PackingParts {
  outbox: Outbox
  clock: Clock
  /** In the range [0, 1). */
  random: () => number
  log: Log
}

/** How often to look for what is due by the clock, if nobody has changed anything. */
const lookMs = 1000
/** The shortest time between two looks: under load, somebody always has changed something. */
const lookMsMin = 100
const cleanMs = 3_600_000
/** Deliveries begun in one transaction. */
const beginMax = 128
/** Deliveries begun without a stored outcome; one mail may carry a hundred. */
const underWayMax = 512
/** How long exchanges and bodies are kept (docs/deliveries.md). */
const exchangesKeptMs = 30 * 86_400_000

/**
 * Sends what is due, fairly and bounded, and stores the outcomes. The queue is the outbox; only attempts under way are
 * in memory. `turn` is called several times a second, and the end of an attempt makes a turn of its own.
 */
export class Deliverer {
  private readonly slots = new Slots()
  private readonly underWay = new Set<DeliveryKey>()
  private readonly attempts = new Set<Promise<void>>()
  private readonly failed: (error: unknown) => void
  private ready: ReadyDestination[] = []
  private readonly settling: Settling
  private readonly packing: Packing
  private turning: Promise<void> | null = null
  private isTurnWanted = false
  private isStopping = false
  private lookedAtMs = Number.NEGATIVE_INFINITY
  private cleanedAtMs = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: DelivererParts) {
    const { log, clock } = parts
    this.failed = failureNotice({ message: 'Deliveries cannot be read or stored; retrying.', log, clock })
    this.settling = new Settling({
      ...parts,
      onSettled: (parcels) => {
        for (const parcel of parcels) this.letGo(parcel)
        void this.turn()
      },
      onFailure: this.failed,
    })
    this.packing = new Packing(parts)
  }

  /** Begins what is due as far as there is room. Waits for none of the attempts. */
  turn(): Promise<void> {
    this.isTurnWanted = true
    this.turning ??= this.turns().finally(() => {
      this.turning = null
    })
    return this.turning
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    while (this.attempts.size > 0) await Promise.all(this.attempts)
    await this.settling.idle()
  }

  /**
   * Begins nothing more, and waits this long for attempts under way; those cut off are sent again after the next start.
   */
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
    const sinceMs = clock.monotonicMs() - this.lookedAtMs
    if (sinceMs < lookMsMin || (sinceMs < lookMs && !outbox.hasChanged())) return
    this.lookedAtMs = clock.monotonicMs()
    this.ready = await outbox.ready(clock.now())
    if (this.ready.length === 0) this.slots.forgetIdle()
  }

  private async begin(): Promise<void> {
    const { outbox, clock } = this.parts
    const taken: ReadyParcel[] = []
    try {
      let rows = 0
      for (let next = this.next(); next !== null && rows < beginMax; next = this.next()) {
        const ready = await this.taken(next)
        if (ready === null) this.drop(next)
        else {
          taken.push(ready)
          rows += ready.parcel.deliveries.length
        }
      }
      if (taken.length > 0) await outbox.begin(taken, clock.now())
      this.isTurnWanted ||= rows >= beginMax
    } catch (error) {
      for (const { parcel } of taken) this.forget(parcel)
      throw error
    }
    for (const ready of taken) this.run(ready)
  }

  /** Unstored outcomes limit what is begun: a full disk must not fill the memory. */
  private next(): ReadyDestination | null {
    return this.underWay.size < underWayMax ? this.slots.next(this.ready) : null
  }

  /** What cannot be read of one destination holds up no other. */
  private async taken({ key }: ReadyDestination): Promise<ReadyParcel | null> {
    const { outbox, clock } = this.parts
    try {
      const parcel = await outbox.take(key, { now: clock.now(), underWay: this.underWay })
      return parcel && (await this.packed(parcel))
    } catch (error) {
      this.failed(error)
      return null
    }
  }

  private async packed(parcel: Parcel): Promise<ReadyParcel> {
    const ready = await this.packing.pack(parcel)
    this.slots.take(slotUser(parcel))
    for (const { key } of parcel.deliveries) this.underWay.add(key)
    return ready
  }

  private drop(destination: ReadyDestination): void {
    this.ready = this.ready.filter(({ key }) => key !== destination.key)
  }

  private run(ready: ReadyParcel): void {
    const { parcel } = ready
    const done = this.packing.attempt(ready).then((outcome) => {
      this.attempts.delete(done)
      this.slots.release(slotUser(parcel))
      this.settling.add(parcel, outcome)
      void this.turn()
    })
    this.attempts.add(done)
  }

  /** Nothing of the parcel was sent. */
  private forget(parcel: Parcel): void {
    this.slots.release(slotUser(parcel))
    this.letGo(parcel)
  }

  private letGo({ deliveries }: Parcel): void {
    for (const { key } of deliveries) this.underWay.delete(key)
  }

  private async clean(): Promise<void> {
    const { outbox, clock } = this.parts
    if (clock.monotonicMs() - this.cleanedAtMs < cleanMs) return
    this.cleanedAtMs = clock.monotonicMs()
    await outbox.clean(clock.now() - exchangesKeptMs)
  }
}

const slotUser = ({ accountId, key, destination }: Parcel) => ({
  accountId,
  key,
  isMail: isReachedByMail(destination),
})

interface PackingParts {
  leads: LeadReader
  reports: ReportWriter
  carriers: Readonly<Record<DestinationKind, Carrier>>
  log: Pick<Log, 'error'>
}

/** A parcel that is ready to be sent. */
interface ReadyParcel {
  parcel: LoadedParcel
  /** The body that every try sends; `null`: each try makes its own. */
  body: string | null
  /** Why it cannot be sent; `null`: it can. */
  hindrance: Attempt | null
}

/** Fills parcels with what carriers send. */
class Packing {
  constructor(private readonly parts: PackingParts) {}

  /** @throws when storage cannot be read */
  async pack(parcel: Parcel): Promise<ReadyParcel> {
    const asked = parcel.deliveries.flatMap(({ submissionId, isBackfilled }) =>
      submissionId === null ? [] : [{ submissionId, isBackfilled }],
    )
    const found = await this.parts.leads.leads(parcel.accountId, asked)
    const leads = found.filter((lead) => lead !== null)
    const loaded = { ...parcel, leads, report: await this.report(parcel) }
    if (leads.length === 0 && asked.length > 0) return { parcel: loaded, body: null, hindrance: cannotRead }
    try {
      return { parcel: loaded, body: parcel.deliveries[0]?.body ?? this.carrier(parcel).body(loaded), hindrance: null }
    } catch (error) {
      return { parcel: loaded, body: null, hindrance: this.fault(parcel, error) }
    }
  }

  /** Never rejects. */
  async attempt({ parcel, body, hindrance }: ReadyParcel): Promise<Attempt> {
    if (hindrance !== null) return hindrance
    try {
      return await this.carrier(parcel).attempt(parcel, body)
    } catch (error) {
      return this.fault(parcel, error)
    }
  }

  /** Made once: later tries send what the first one kept. */
  private async report({ accountId, deliveries: [delivery] }: Parcel): Promise<ReportLetter | null> {
    const period = delivery?.period ?? null
    if (period === null || delivery?.body !== null) return null
    try {
      return await this.parts.reports.letter({ accountId, period, isExample: false })
    } catch (error) {
      this.parts.log.error('A report could not be made; retrying.', { reason: nameOf(error) })
      return null
    }
  }

  private carrier({ destination }: Pick<Parcel, 'destination'>): Carrier {
    return this.parts.carriers[destination.kind]
  }

  /** A bug. Its text may quote what was to be sent. */
  private fault({ destination: { kind } }: Parcel, error: unknown): Attempt {
    this.parts.log.error('A delivery could not be attempted.', { kind, reason: nameOf(error) })
    return unattempted('This box could not make the message; please report it with `capture version`.')
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

const cannotRead = unattempted('The submission cannot be read from the data folder; run `capture doctor`.')

/** Everything the delivering thread learns at its start. */
export interface DeliverySettings {
  databaseFile: string
  /** CIDRs, of `[delivery] allow_private`. */
  allowPrivate: readonly string[]
  /** Certificates (PEM) trusted for receivers besides the system's. */
  ca: string | null
  /** `null`: the box sends no mail. */
  mailServer: MailServer | null
  /** The origin of a connected domain, with `{host}` for its name: `https://{host}:8443`. */
  baseTemplate: string
  /** How links to the console begin; `null`: it has no host of its own. */
  consoleBase: string | null
  ownPorts: readonly number[]
}

/** From the delivering thread to the serving one. */
export interface DeliveryNotice {
  counts: Record<DeliveryState, number>
}
