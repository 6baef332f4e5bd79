import { Type } from '@sinclair/typebox'
import type { PersonRecord } from '../../../report/person-record.ts'

const text = Type.Union([Type.String(), Type.Null()])
const touch = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

const properties = {
  personId: Type.String(),
  email: Type.String(),
  traits: Type.Record(Type.String(), Type.Unknown()),
  firstSeenAt: text,
  lastSeenAt: text,
  deviceIds: Type.Array(Type.String()),
  attribution: Type.Object({ first: touch, last: touch }),
  submissions: Type.Integer(),
  events: Type.Integer(),
}

/** A person as exported (contract section 5). */
export const personSchema = Type.Unsafe<PersonRecord>(Type.Object(properties))

/** A person with all their records as exported. */
export const shownPersonSchema = Type.Object({
  ...properties,
  records: Type.Object({ submissions: Type.Array(Type.Unknown()), events: Type.Array(Type.Unknown()) }),
})
