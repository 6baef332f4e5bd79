import { Type } from '@sinclair/typebox'
import { oneOf, orNull, text, textOrNull, texts } from '../schema.ts'

/** One object of `domain list --json` (docs/domains.md). */
export const domain = Type.Object({
  host: text,
  account: textOrNull,
  use: oneOf(['site', 'preview', 'console']),
  state: oneOf(['active', 'waiting', 'failing', 'off']),
  reason: text,
  observed: Type.Object({
    a: texts,
    aaaa: texts,
    cname: textOrNull,
    caa: texts,
    http: oneOf(['ours', 'other', 'none', 'unknown']),
  }),
  certificate: orNull(
    Type.Object({ issuer: text, notBefore: text, notAfter: text, renewAt: textOrNull, serial: text }),
  ),
  nextTryAt: textOrNull,
  persistRecord: Type.Optional(Type.Object({ name: text, value: text })),
})
