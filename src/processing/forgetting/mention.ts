import type { Entry } from '../../ledger/entry.ts'
import { type Receipt, receiptOf } from '../ledger-item.ts'
import { statedEmail } from '../person/tie-to-person.ts'

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
