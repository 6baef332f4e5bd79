import { Type } from '@sinclair/typebox'
import type { SubmissionRecord } from '../../../report/record.ts'
import { anything, count, oneOf, orNull, text, textOrNull } from '../schema.ts'

/** A submission as exported (docs/exports.md). */
export const submission = Type.Unsafe<SubmissionRecord>(
  Type.Object({
    submissionId: text,
    formId: text,
    formVersion: count,
    receivedAt: text,
    status: oneOf(['accepted', 'refused']),
    refusedFor: Type.Union([Type.Literal('honeypot'), Type.Literal('bot_check'), Type.Null()]),
    identity: Type.Object({ email: textOrNull }),
    personId: textOrNull,
    deviceId: textOrNull,
    consentTextId: textOrNull,
    honeypot: Type.Object({ field: textOrNull, value: Type.Unknown() }),
    botCheck: Type.Object({ required: Type.Boolean(), provider: textOrNull, verified: Type.Boolean() }),
    attribution: Type.Object({ first: orNull(anything), last: orNull(anything) }),
    duplicateOf: textOrNull,
    page: orNull(Type.Object({ slug: text, sha256: text })),
    test: Type.Boolean(),
    source: anything,
    fields: anything,
  }),
)
