import { Type } from '@sinclair/typebox'
import { destinationKinds } from '../../../account/destination.ts'
import { count, oneOf, orNull, text, textOrNull } from '../schema.ts'

export const destinationKind = oneOf([...destinationKinds, 'reply'])
export const state = oneOf(['waiting', 'delivered', 'failed'])

/** A row of `delivery list --json`. */
export const delivery = {
  id: text,
  destination: text,
  kind: destinationKind,
  submissionId: textOrNull,
  state,
  paused: Type.Boolean(),
  attempts: count,
  createdAt: text,
  nextAt: textOrNull,
  lastStatus: orNull(count),
  lastError: textOrNull,
}
