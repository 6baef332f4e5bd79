import { Type } from '@sinclair/typebox'
import { orNull } from '../or-null.ts'
import { stateSchema } from '../page/page-schema.ts'

const published = { id: Type.String(), state: stateSchema, url: orNull(Type.String()) }
const file = Type.Object({ path: Type.String(), ...published })

/** What `apply --json` prints; from `left` on, what it prints beside that, for `?details=true`. */
export const applySchema = Type.Object({
  account: Type.String(),
  domains: Type.Array(Type.String()),
  trackingKey: Type.Optional(Type.String()),
  deliverySecrets: Type.Optional(Type.Array(Type.Object({ name: Type.String(), secret: Type.String() }))),
  forms: Type.Array(Type.Object({ id: orNull(Type.String()), name: Type.String(), registered: Type.Boolean() })),
  pages: Type.Array(Type.Object({ slug: Type.String(), ...published })),
  images: Type.Array(file),
  files: Type.Array(file),
  changes: Type.Array(Type.Object({ action: Type.String(), kind: Type.String(), name: Type.String() })),
  retention: Type.Optional(
    Type.Record(Type.String(), Type.Object({ due: Type.Integer(), nextDueAt: orNull(Type.String()) })),
  ),
  dns: Type.Optional(
    Type.Array(
      Type.Object({
        host: Type.String(),
        records: Type.Array(Type.Object({ type: Type.String(), value: orNull(Type.String()) })),
        cname: orNull(Type.String()),
      }),
    ),
  ),
  changedHere: Type.Optional(
    Type.Array(Type.Object({ what: Type.String(), at: Type.String(), by: Type.String(), via: Type.String() })),
  ),
  left: Type.Optional(Type.Array(Type.Object({ kind: Type.String(), name: Type.String(), state: Type.String() }))),
  warnings: Type.Optional(Type.Array(Type.String())),
  skipped: Type.Optional(Type.Array(Type.String())),
  notes: Type.Optional(Type.Array(orNull(Type.String()))),
})
