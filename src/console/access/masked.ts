import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import type { SubmissionRecord } from '../../report/record.ts'

type Touch = NonNullable<SubmissionRecord['attribution']['last']>

/** Replaces values that a client may not see. */
export const mask = '•••'

/** A submission without personal data: the names of its fields stay, their values are masked. */
export const maskedSubmission = (record: SubmissionRecord): SubmissionRecord => ({
  ...record,
  identity: { email: record.identity.email === null ? null : mask },
  personId: null,
  deviceId: null,
  honeypot: { field: record.honeypot.field, value: null },
  attribution: { first: maskedTouch(record.attribution.first), last: maskedTouch(record.attribution.last) },
  fields: maskedValues(record.fields),
  files: record.files.map((file) => ({ ...file, name: mask })),
  source: { ...record.source, ip: null, userAgent: null, referer: null },
})

/** Source, medium and campaign are in every report; addresses and ids of a click may say who it was. */
const maskedTouch = (touch: Touch | null): Touch | null =>
  touch && { ...touch, term: null, content: null, clickIds: {}, referrer: null, url: null }

const maskedValues = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, JsonValue] => [name, value === null ? null : mask]),
  )
