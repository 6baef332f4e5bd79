import { Type } from '@sinclair/typebox'
import type { SubmissionRecord } from '../../../report/record.ts'

const text = Type.Union([Type.String(), Type.Null()])
const touch = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

/** A submission as exported (contract section 5). */
export const submissionSchema = Type.Unsafe<SubmissionRecord>(
  Type.Object({
    submissionId: Type.String(),
    formId: Type.String(),
    formVersion: Type.Integer(),
    receivedAt: Type.String(),
    status: Type.Union([Type.Literal('accepted'), Type.Literal('refused')]),
    refusedFor: Type.Union([Type.Literal('honeypot'), Type.Literal('bot_check'), Type.Null()]),
    identity: Type.Object({ email: text }),
    personId: text,
    deviceId: text,
    consentTextId: text,
    honeypot: Type.Object({ field: text, value: Type.Unknown() }),
    botCheck: Type.Object({ required: Type.Boolean(), provider: text, verified: Type.Boolean() }),
    attribution: Type.Object({ first: touch, last: touch }),
    duplicateOf: text,
    page: Type.Union([Type.Object({ slug: Type.String(), sha256: Type.String() }), Type.Null()]),
    test: Type.Boolean(),
    source: Type.Record(Type.String(), Type.Unknown()),
    fields: Type.Record(Type.String(), Type.Unknown()),
  }),
)
