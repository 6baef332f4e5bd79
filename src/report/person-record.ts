import type { JsonObject } from '../lib/json-value.ts'
import type { Touch } from '../processing/attribution/touch.ts'
import { instant } from './instant.ts'
import type { KnownPerson } from './person-reader.ts'

/** A person as exported (docs/exports.md). */
export interface PersonRecord {
  personId: string
  email: string
  traits: JsonObject
  /** ISO 8601 UTC with milliseconds; `null`: none of their records is left. */
  firstSeenAt: string | null
  lastSeenAt: string | null
  deviceIds: string[]
  attribution: { first: Touch | null; last: Touch | null }
  /** How many records `export submissions` and `export events` print of them. */
  submissions: number
  events: number
}

export const personRecord = (person: KnownPerson): PersonRecord => ({
  personId: person.id,
  email: person.email,
  traits: person.traits,
  firstSeenAt: person.firstSeenAt === null ? null : instant(person.firstSeenAt),
  lastSeenAt: person.lastSeenAt === null ? null : instant(person.lastSeenAt),
  deviceIds: person.deviceIds,
  attribution: { first: person.first, last: person.last },
  submissions: person.submissions,
  events: person.events,
})
