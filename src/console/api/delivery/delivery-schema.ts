import { Type } from '@sinclair/typebox'
import { destinationKinds } from '../../../account/destination.ts'
import { orNull } from '../or-null.ts'

export const deliveryState = Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('failed')])
export const destinationKind = Type.Union([...destinationKinds, 'reply' as const].map((kind) => Type.Literal(kind)))

/** A row of `delivery list --json`. */
export const deliverySchema = Type.Object({
  id: Type.String(),
  destination: Type.String(),
  kind: destinationKind,
  submissionId: orNull(Type.String()),
  state: deliveryState,
  paused: Type.Boolean(),
  attempts: Type.Integer(),
  createdAt: Type.String(),
  nextAt: orNull(Type.String()),
  lastStatus: orNull(Type.Integer()),
  lastError: orNull(Type.String()),
})

export const shownDeliverySchema = Type.Composite([
  deliverySchema,
  Type.Object({
    exchanges: Type.Array(
      Type.Object({
        number: Type.Integer(),
        at: Type.String(),
        status: orNull(Type.Integer()),
        error: orNull(Type.String()),
        exchange: Type.String({ description: 'The recorded exchange, without secrets' }),
      }),
    ),
  }),
])
