import type { Attempt } from './attempt.ts'
import type { Lead } from './lead.ts'
import type { Parcel } from './outbox.ts'

/** A parcel with the submissions that it tells of; of a report there are none. */
export interface LoadedParcel extends Parcel {
  leads: readonly Lead[]
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
