import type { Attempt } from './attempt.ts'
import type { Lead } from './lead.ts'
import type { Parcel } from './outbox.ts'
import type { ReportLetter } from './report-letter.ts'

/** A parcel with what it tells of. */
export interface LoadedParcel extends Parcel {
  /** Of a report there are none. */
  leads: readonly Lead[]
  /** `null`: it is no report, or its body was made before. */
  report: ReportLetter | null
}

/** One way to reach a destination. */
export interface Carrier {
  /** What every try sends, kept from the first on; `null`: each try makes it anew. */
  body(parcel: LoadedParcel): string | null
  /** Makes one attempt. Never rejects for what a receiver does. @param body as first sent */
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
