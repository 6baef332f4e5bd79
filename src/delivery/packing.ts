import type { DestinationKind } from '../account/destination.ts'
import type { Log } from '../lib/log.ts'
import type { Attempt } from './attempt.ts'
import { type Carrier, type LoadedParcel, unattempted } from './carrier.ts'
import type { LeadReader } from './lead.ts'
import type { Parcel } from './outbox.ts'
import type { ReportLetter, ReportWriter } from './report-letter.ts'

export interface PackingParts {
  leads: LeadReader
  reports: ReportWriter
  carriers: Readonly<Record<DestinationKind, Carrier>>
  log: Pick<Log, 'error'>
}

/** A parcel that is ready to be sent. */
export interface ReadyParcel {
  parcel: LoadedParcel
  /** The body that every try sends; `null`: each try makes its own. */
  body: string | null
  /** Why it cannot be sent; `null`: it can. */
  hindrance: Attempt | null
}

/** Fills parcels with what carriers send. */
export class Packing {
  constructor(private readonly parts: PackingParts) {}

  /** @throws when storage cannot be read */
  async pack(parcel: Parcel): Promise<ReadyParcel> {
    const ids = parcel.deliveries.flatMap(({ submissionId }) => submissionId ?? [])
    const found = await this.parts.leads.leads(parcel.accountId, ids)
    const leads = found.filter((lead) => lead !== null)
    const loaded = { ...parcel, leads, report: await this.report(parcel) }
    if (leads.length === 0 && ids.length > 0) return { parcel: loaded, body: null, hindrance: cannotRead }
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
