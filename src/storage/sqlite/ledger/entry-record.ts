import type { EntryKind } from '../../../ledger/entry.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { isJsonObject } from '../../../lib/lossless-json.ts'

type FieldValue = JsonValue | undefined

/**
 * Whether the JSON can be the record of such an entry, since damage by a disk or by hand may still be valid JSON.
 * Checks the type of each field of ours, at a tenth of the cost of parsing; what was sent may be anything.
 */
export function isRecordOf(kind: EntryKind, record: JsonValue): record is JsonObject {
  return isJsonObject(record) && typeof record.test === 'boolean' && isSource(record.source) && checks[kind](record)
}

const checks: Record<EntryKind, (record: JsonObject) => boolean> = {
  submission: ({
    formId,
    formVersion,
    status,
    refusedFor,
    email,
    deviceId,
    consentTextId,
    honeypot,
    botCheck,
    fields,
  }) =>
    isText(formId) &&
    typeof formVersion === 'number' &&
    (status === 'accepted' || status === 'refused') &&
    isTextOrNull(refusedFor) &&
    isTextOrNull(email) &&
    isTextOrNull(deviceId) &&
    isTextOrNull(consentTextId) &&
    (honeypot === null || (isJsonObject(honeypot) && isText(honeypot.field))) &&
    isBotCheck(botCheck) &&
    isJsonObject(fields),
  event: ({ event, deviceId, properties, traits, attribution, consent }) =>
    isText(event) &&
    isText(deviceId) &&
    isJsonObject(properties) &&
    (traits === null || isJsonObject(traits)) &&
    isObjectOfTexts(attribution) &&
    isText(consent),
  page_view: ({ deviceId, slug, sha256, url, path, host, attribution }) =>
    isText(deviceId) &&
    isText(slug) &&
    isText(sha256) &&
    isText(url) &&
    isText(path) &&
    isText(host) &&
    isObjectOfTexts(attribution),
  click: ({ deviceId, message, recipient, sentAt, url, attribution, verdict, reasons, evidence }) =>
    isText(deviceId) &&
    isTextOrNull(message) &&
    isTextOrNull(recipient) &&
    typeof sentAt === 'number' &&
    isText(url) &&
    isObjectOfTexts(attribution) &&
    (verdict === 'human' || verdict === 'suspected' || verdict === 'machine') &&
    Array.isArray(reasons) &&
    reasons.every(isText) &&
    isJsonObject(evidence) &&
    isText(evidence.method) &&
    isObjectOfTexts(evidence.headers),
}

function isSource(source: FieldValue): boolean {
  if (!isJsonObject(source)) return false
  const { ip, userAgent, origin, referer, host } = source
  return isTextOrNull(ip) && isTextOrNull(userAgent) && isTextOrNull(origin) && isTextOrNull(referer) && isText(host)
}

const isBotCheck = (botCheck: FieldValue): boolean =>
  isJsonObject(botCheck) &&
  typeof botCheck.required === 'boolean' &&
  isTextOrNull(botCheck.provider) &&
  typeof botCheck.verified === 'boolean'

function isObjectOfTexts(value: FieldValue): boolean {
  if (!isJsonObject(value)) return false
  for (const name in value) if (!isText(value[name])) return false
  return true
}

const isText = (value: FieldValue): boolean => typeof value === 'string'
const isTextOrNull = (value: FieldValue): boolean => value === null || typeof value === 'string'
