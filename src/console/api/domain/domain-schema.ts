import { Type } from '@sinclair/typebox'
import { orNull } from '../or-null.ts'

const texts = Type.Array(Type.String())

/** One object of `domain list --json` (docs/domains.md). */
export const domainSchema = Type.Object({
  host: Type.String(),
  account: orNull(Type.String()),
  use: Type.Union([Type.Literal('site'), Type.Literal('preview'), Type.Literal('console')]),
  state: Type.Union([Type.Literal('active'), Type.Literal('waiting'), Type.Literal('failing'), Type.Literal('off')]),
  reason: Type.String(),
  observed: Type.Object({
    a: texts,
    aaaa: texts,
    cname: orNull(Type.String()),
    caa: texts,
    http: Type.Union([Type.Literal('ours'), Type.Literal('other'), Type.Literal('none'), Type.Literal('unknown')]),
  }),
  certificate: orNull(
    Type.Object({
      issuer: Type.String(),
      notBefore: Type.String(),
      notAfter: Type.String(),
      renewAt: orNull(Type.String()),
      serial: Type.String(),
    }),
  ),
  nextTryAt: orNull(Type.String()),
  persistRecord: Type.Optional(Type.Object({ name: Type.String(), value: Type.String() })),
})
