import { Type } from '@sinclair/typebox'
import { anything, count, orNull, text, textOrNull, texts } from '../schema.ts'

/** A person as exported (docs/exports.md). */
export const person = {
  personId: text,
  email: text,
  traits: anything,
  firstSeenAt: textOrNull,
  lastSeenAt: textOrNull,
  deviceIds: texts,
  attribution: Type.Object({ first: orNull(anything), last: orNull(anything) }),
  submissions: count,
  events: count,
}
