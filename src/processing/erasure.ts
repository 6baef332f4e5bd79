import type { Entry } from '../ledger/entry.ts'
import { type Receipt, receiptOf } from './ledger-item.ts'
import { statedEmail } from './person/tie-to-person.ts'

export interface ErasureQuery {
  accountId: string
  /** As `identityEmail` writes it; `null`: nobody's, only what `sent` reaches. */
  email: string | null
  /** Ids under which links were signed for them, by every known key (capture/recipient-id.ts). */
  recipients: string[]
  /** Submissions to erase, whoever sent them; absent: none beside the person's. */
  sent?: SentSubmissions
}

/**
 * `record`: these submissions alone. `sender`: also what their devices recorded while they were nobody else's, and every
 * submission with the same phone number in a field that holds one.
 */
export interface SentSubmissions {
  ids: readonly string[]
  reach: 'record' | 'sender'
}

/** Records by kind, and devices that belong to nobody else. */
export interface ErasureCounts {
  submissions: number
  events: number
  pageViews: number
  clicks: number
  devices: number
}

export interface ErasureReceipt extends ErasureCounts {
  /** Ids of other people's records that mention the address, which stay. At most `mentionsMax`. */
  mentionedIn: string[]
  /** The number of such records, including those beyond `mentionedIn`. */
  mentions: number
  /**
   * Devices of the account that could not be derived again without the erased records. Their figures, and the origins
   * of their submissions, are unchanged.
   */
  notDerived: number
  /** Whether the write-ahead log was emptied, and the address or phone number stands nowhere in the free bytes of the database's file. */
  verified: boolean
}

export const mentionsMax = 100

/**
 * Erases a person from an account: everything that is theirs by the rules of docs/privacy.md, and what was derived from
 * it.
 *
 * Guarantees: other people's records stay as they are, and figures stay equal to a count over the records; an
 * interrupted erasure is finished by running it again, and the ledger names exactly the erased records, by id; no step
 * holds the database's write lock longer than 20 ms; what is captured meanwhile, and processed after the erasure, makes
 * a new person. Records captured before are processed first, since until then nobody owns them.
 */
export interface Erasure {
  /** Counts what would be erased. */
  find(query: ErasureQuery): Promise<ErasureCounts>
  /** Ids of the submissions that `sent` reaches. */
  submissionsReached(query: ErasureQuery): Promise<string[]>
  /**
   * @param onFound called once everything captured before has been processed, before anything is erased
   * @throws when the disk fails, or UnreadableEntry; run it again once that is mended
   */
  erase(query: ErasureQuery, onFound?: () => Promise<void>): Promise<ErasureReceipt>
}

/** What shows whose a record is. */
interface RecordSubject {
  /** The address it was sent with, as `identityEmail` writes it; `null`: none. */
  identity: string | null
  deviceId: string | null
  receipt: Receipt
}

export const subjectOf = (entry: Entry): RecordSubject => ({
  identity: statedEmail(entry),
  deviceId: entry.deviceId,
  receipt: receiptOf(entry),
})

/**
 * Whether a record that mentions the address is its owner's: it says so itself, or it is nobody else's.
 *
 * @param isOwned whether the device was somebody's when it sent the record
 */
export function isOwnMention(
  { identity, deviceId, receipt }: RecordSubject,
  email: string,
  isOwned: (deviceId: string, receipt: Receipt) => boolean,
): boolean {
  if (identity !== null) return identity === email
  return deviceId === null || !isOwned(deviceId, receipt)
}

/** Whether any text in a value contains the address, names of fields included; capture limits the nesting. */
export function mentions(value: unknown, isNamedIn: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isNamedIn(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => isNamedIn(key) || mentions(inner, isNamedIn))
}
