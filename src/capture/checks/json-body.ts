import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { InvalidJson, isJsonObject, parseLosslessJson } from '../../lib/lossless-json.ts'
import { Refusal, type RefusalCheck } from '../refusal.ts'

const reasons = {
  not_utf8: 'The body is not valid UTF-8.',
  not_json: 'The body is not valid JSON (RFC 8259).',
  too_deep: 'The body nests deeper than 64 levels.',
} as const

/** Form check 4: the body parses as a JSON object. */
export function jsonObject(body: Uint8Array): JsonObject {
  const value = parsedBody(body, 'body')
  if (!isJsonObject(value))
    throw new Refusal('body', { message: 'The body must be a JSON object: { "field": "value" }.' })
  return value
}

/** The body's value, its numbers with the digits that were sent. */
export function parsedBody(body: Uint8Array, check: RefusalCheck): JsonValue {
  try {
    return parseLosslessJson(body)
  } catch (error) {
    if (error instanceof InvalidJson) throw new Refusal(check, { message: reasons[error.reason] })
    throw error
  }
}
