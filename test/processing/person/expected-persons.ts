import type { Entry } from '../../../src/ledger/entry.ts'
import { identityEmail } from '../../../src/ledger/identity-email.ts'
import type { JsonValue } from '../../../src/lib/json-value.ts'

/** A person as docs/identity.md has it, as far as it follows from the records alone. */
export interface ExpectedPerson {
  email: string
  traits: [name: string, value: JsonValue][]
  firstSeenAt: number
  lastSeenAt: number
  deviceIds: string[]
  submissionIds: string[]
  eventIds: string[]
}

const byReceipt = (one: Entry, other: Entry): number =>
  one.receivedAt - other.receivedAt || (one.id < other.id ? -1 : 1)

/** Who the record says its device's user is. */
function namedBy(entry: Entry): string | null {
  if (entry.kind === 'submission') return entry.email
  return entry.kind === 'event' && entry.event === '$identify' ? identityEmail(entry.traits?.email) : null
}

/** Whose the record is, by e-mail address: read from docs/identity.md, slowly. `entries`: of one account, by receipt. */
export function expectedOwner(entry: Entry, entries: Entry[]): string | null {
  if (!isCounted(entry)) return null
  const named = namedBy(entry)
  if (named !== null || entry.deviceId === null) return named
  const ties = entries.filter((tie) => isCounted(tie) && tie.deviceId === entry.deviceId && namedBy(tie) !== null)
  const tie = ties.findLast((one) => byReceipt(one, entry) <= 0) ?? ties[0]
  return tie === undefined ? null : namedBy(tie)
}

const isCounted = (entry: Entry): boolean => !entry.test && !(entry.kind === 'submission' && entry.status === 'refused')

export function expectedPersons(unordered: Entry[]): ExpectedPerson[] {
  const entries = unordered.toSorted(byReceipt)
  const emails = new Set(entries.filter(isCounted).flatMap((entry) => namedBy(entry) ?? []))
  return [...emails].sort().map((email) => expectedPerson(email, entries))
}

function expectedPerson(email: string, entries: Entry[]): ExpectedPerson {
  const own = entries.filter((entry) => expectedOwner(entry, entries) === email)
  const traits = new Map<string, JsonValue>()
  for (const entry of own) {
    if (entry.kind !== 'event' || entry.event !== '$identify') continue
    for (const [name, value] of Object.entries(entry.traits ?? {})) traits.set(name, value)
  }
  const ties = own.filter((entry) => namedBy(entry) === email)
  const idsOf = (isSubmission: boolean) =>
    own.filter(({ kind }) => (kind === 'submission') === isSubmission).map(({ id }) => id)
  return {
    email,
    traits: [...traits].sort(),
    firstSeenAt: Math.min(...own.map(({ receivedAt }) => receivedAt)),
    lastSeenAt: Math.max(...own.map(({ receivedAt }) => receivedAt)),
    deviceIds: [...new Set(ties.flatMap(({ deviceId }) => deviceId ?? []))],
    submissionIds: idsOf(true).sort(),
    eventIds: idsOf(false).sort(),
  }
}
