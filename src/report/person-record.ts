import { type Static, Type } from '@sinclair/typebox'
import { count, sentObject, text, textOrNull, texts } from '../lib/schema.ts'
import { type Column, columnsOf } from './csv.ts'
import type { KnownPerson } from './person-reader.ts'
import { instant } from './record.ts'
import { touchColumns, touches } from './touches.ts'

/** A person as exported (docs/exports.md). */
export const personSchema = Type.Object({
  personId: text,
  email: text,
  traits: sentObject,
  /** ISO 8601 UTC with milliseconds; `null`: none of their records is left. */
  firstSeenAt: textOrNull,
  lastSeenAt: textOrNull,
  deviceIds: texts,
  attribution: touches,
  /** How many records `export submissions` and `export events` print of them. */
  submissions: count,
  events: count,
})
export type PersonRecord = Static<typeof personSchema>

export const personColumns: Column<PersonRecord>[] = columnsOf(personSchema, { attribution: touchColumns })

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
