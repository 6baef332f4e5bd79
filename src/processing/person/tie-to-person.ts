import type { Entry, TrackedEvent } from '../../ledger/entry.ts'
import { identityEmail } from '../../ledger/identity-email.ts'
import type { Device } from '../devices.ts'
import { type ProcessedAccount, receiptOf } from '../ledger-item.ts'
import type { ProcessingState } from '../processing-state.ts'
import { mergedTraits, type Person, type Persons } from './persons.ts'

interface Teller {
  account: ProcessedAccount
  device: Device | null
}

/**
 * A submission with an identity, or an `$identify` event whose `traits.email` is an address, makes the person known and
 * the device theirs; traits go to the person (docs/identity.md). Returns the person whom the entry names.
 */
export function tieToPerson(
  entry: Entry,
  { account, device }: Teller,
  { persons }: Pick<ProcessingState, 'persons'>,
): Person | null {
  const email = statedEmail(entry)
  const person = email === null ? null : persons.named(account.id, email, receiptOf(entry))
  if (person !== null && device !== null) persons.tie(device.key, person, receiptOf(entry))
  if (isIdentify(entry)) tellTraits(entry, { device, person }, persons)
  return person
}

/** Without an address, the traits belong to whoever owns the device, who may become known only later. */
function tellTraits(
  event: TrackedEvent,
  { device, person }: { device: Device | null; person: Person | null },
  persons: Persons,
): void {
  const { traits } = event
  if (traits === null || Object.keys(traits).length === 0) return
  const statedAt = receiptOf(event)
  if (person !== null) persons.keepTraits(person, mergedTraits(person.traits, traits, statedAt))
  else if (device !== null) persons.noteTraits(device.key, traits, statedAt)
}

/** The address that the entry states, whoever it is about; `null`: none. */
export function statedEmail(entry: Entry): string | null {
  if (entry.kind === 'submission') return entry.email
  return isIdentify(entry) ? identityEmail(entry.traits?.email) : null
}

/** Whether it asserts an identity (spec, Events). */
export const isIdentify = (entry: Entry): entry is TrackedEvent => entry.kind === 'event' && entry.event === '$identify'
