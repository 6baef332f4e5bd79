import type { Lead } from './lead.ts'
import type { Attempt, Parcel } from './outbox.ts'
import type { ReportLetter } from './report-letter.ts'

/** A parcel with its contents. */
export interface LoadedParcel extends Parcel {
  /** Empty for a report. */
  leads: readonly Lead[]
  /** `null`: not a report, or its body was made before. */
  report: ReportLetter | null
}

/** One way to reach a destination. */
export interface Carrier {
  /** The body that every try sends, kept from the first one on; `null`: each try makes its own. */
  body(parcel: LoadedParcel): string | null
  /**
   * Makes one attempt. Never rejects because of the receiver.
   * @param body as first sent
   */
  attempt(parcel: LoadedParcel, body: string | null): Promise<Attempt>
}

/** An attempt that could not begin. @param error one sentence that says what to do */
export const unattempted = (error: string): Attempt => ({
  outcome: 'failed',
  status: null,
  error,
  retryAfterMs: null,
  exchange: '',
})

/** The carrier of a box that cannot reach such destinations. @param error one sentence that says what to do */
export const unableCarrier = (error: string): Carrier => ({
  body: () => null,
  attempt: async () => unattempted(error),
})
