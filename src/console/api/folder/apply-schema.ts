import { Type } from '@sinclair/typebox'
import { count, oneOf, orNull, text, textOrNull, texts } from '../../../lib/schema.ts'

/** Of a page, image or file. */
export const pageState = oneOf(['live', 'preview'])

const published = { id: text, state: pageState, url: textOrNull }
const file = Type.Object({ path: text, ...published })

/** What `apply --json` prints; from `left` on, what it prints beside that, for `?details=true`. */
export const applySchema = Type.Object({
  account: text,
  domains: texts,
  trackingKey: Type.Optional(text),
  deliverySecrets: Type.Optional(Type.Array(Type.Object({ name: text, secret: text }))),
  forms: Type.Array(Type.Object({ id: textOrNull, name: text, registered: Type.Boolean() })),
  pages: Type.Array(Type.Object({ slug: text, ...published })),
  images: Type.Array(file),
  files: Type.Array(file),
  changes: Type.Array(Type.Object({ action: text, kind: text, name: text })),
  retention: Type.Optional(Type.Record(Type.String(), Type.Object({ due: count, nextDueAt: textOrNull }))),
  dns: Type.Optional(
    Type.Array(
      Type.Object({
        host: text,
        records: Type.Array(Type.Object({ type: text, value: textOrNull })),
        cname: textOrNull,
      }),
    ),
  ),
  newDomains: Type.Optional(
    Type.Array(
      Type.Object({
        host: text,
        allowed: Type.Boolean(),
        record: orNull(Type.Object({ name: text, value: text })),
        note: text,
      }),
    ),
  ),
  takenOver: Type.Optional(Type.Array(Type.Object({ host: text, account: text, droppedAt: text }))),
  notAllowed: Type.Optional(
    Type.Object({ message: text, receivers: Type.Array(Type.Object({ key: text, what: text })) }),
  ),
  changedHere: Type.Optional(Type.Array(Type.Object({ what: text, at: text, by: text, via: text }))),
  left: Type.Optional(Type.Array(Type.Object({ kind: text, name: text, state: text }))),
  warnings: Type.Optional(texts),
  skipped: Type.Optional(texts),
  notes: Type.Optional(Type.Array(textOrNull)),
})
