import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import type { SubmissionRecord } from '../../report/record.ts'

/** Stands for what a client may not see. */
export const mask = '•••'

/** A submission without what says who sent it: names of fields stay, their values do not. */
export const maskedSubmission = (record: SubmissionRecord): SubmissionRecord => ({
  ...record,
  identity: { email: record.identity.email === null ? null : mask },
  personId: null,
  deviceId: null,
  honeypot: { field: record.honeypot.field, value: null },
  fields: maskedValues(record.fields),
  source: { ...record.source, ip: null, userAgent: null, referer: null },
})

const maskedValues = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, JsonValue] => [name, value === null ? null : mask]),
  )
