import type { Entry } from '../../ledger/entry.ts'
import { identityEmail } from '../../ledger/identity-email.ts'
import type { Device } from '../device-state.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { Person } from './person-state.ts'
import { mergedTraits } from './traits.ts'

/** The reserved name of an identity assertion (spec, Events). */
const identifyEvent = '$identify'

interface Teller {
  account: ProcessedAccount
  device: Device | null
}

/**
 * A submission with an identity, or an `$identify` event whose `traits.email` is an address, makes the person known and
 * its device theirs; traits go to the person (contract section 8). Answers whom the entry names.
 */
export function tieToPerson(entry: Entry, { account, device }: Teller, { persons }: ProcessingState): Person | null {
  const email = statedEmail(entry)
  if (email === null) return null
  const receipt = { at: entry.receivedAt, id: entry.id }
  const person = persons.named(account.id, email)
  if (device !== null) persons.tie(device.key, person.key, receipt)
  if (entry.kind !== 'event' || entry.traits === null) return person
  const known = { ...person, traits: mergedTraits(person.traits, entry.traits, receipt) }
  persons.save(known)
  return known
}

function statedEmail(entry: Entry): string | null {
  if (entry.kind === 'submission') return entry.email
  return entry.kind === 'event' && entry.event === identifyEvent ? identityEmail(entry.traits?.email) : null
}
