import { choicesOf } from '../../account/field-label.ts'
import type { Form } from '../../account/form.ts'
import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { holdsContact, isPersonalField } from '../../operations/submission/personal-field.ts'
import type { SubmissionRecord } from '../../report/record.ts'

type Touch = NonNullable<SubmissionRecord['attribution']['last']>

/** Replaces values that a client may not see. */
export const mask = '•••'

/** Longer texts are messages, in which anything may stand. */
const shownCharactersMax = 40
/** Shorter ones are initials and particles. */
const nameCharactersMin = 3

/**
 * A submission as a client sees it: what was asked for, without who asked. Masked are e-mail addresses, names, phone numbers and long
 * texts; the names of the fields stay.
 */
export function maskedSubmission(record: SubmissionRecord, forms: readonly Form[]): SubmissionRecord {
  const form = forms.find(({ id }) => id === record.formId) ?? null
  return {
    ...record,
    identity: { email: record.identity.email === null ? null : mask },
    personId: null,
    deviceId: null,
    honeypot: { field: record.honeypot.field, value: null },
    attribution: { first: maskedTouch(record.attribution.first), last: maskedTouch(record.attribution.last) },
    fields: maskedFields(record, form),
    files: record.files.map((file) => ({ ...file, name: mask })),
    source: { ...record.source, ip: null, userAgent: null, referer: null },
  }
}

/** Source, medium and campaign are in every report; addresses and ids of a click may say who it was. */
const maskedTouch = (touch: Touch | null): Touch | null =>
  touch && { ...touch, term: null, content: null, clickIds: {}, referrer: null, url: null }

/** The names of files stand in the fields that they came with, and often name who sent them. */
function maskedFields({ fields, files }: Pick<SubmissionRecord, 'fields' | 'files'>, form: Form | null): JsonObject {
  const named = Object.entries(fields).filter(([name]) => isPersonalField(name))
  const names = new Set(named.flatMap(([, value]) => (typeof value === 'string' ? namesIn(value) : [])))
  const personal = new Set([...named.map(([name]) => name), ...files.map(({ field }) => field)])
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, JsonValue] => [
      name,
      personal.has(name) ? masked(value) : shown(value, { names, offered: new Set(choicesOf(form, name)) }),
    ]),
  )
}

/** The words of a name, or of an address before its `@`. */
const namesIn = (text: string): string[] =>
  wordsOf(text.split('@')[0] ?? '').filter((word) => word.length >= nameCharactersMin)

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

const masked = (value: JsonValue): JsonValue => (value === null || value === '' ? value : mask)

interface Known {
  /** Of the sender, who may sign other answers with it. */
  names: ReadonlySet<string>
  /** What the form gives to choose from: the operator's words, not the visitor's. */
  offered: ReadonlySet<unknown>
}

function shown(value: JsonValue, known: Known): JsonValue {
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => shown(item, known))
  if (typeof value === 'object' && !JSON.isRawJSON(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, isPersonalField(name) ? masked(item) : shown(item, known)]),
    )
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return isShown(text, known) ? value : mask
}

function isShown(text: string, { names, offered }: Known): boolean {
  if ([...text].length > shownCharactersMax) return false
  if (offered.has(text)) return true
  return !holdsContact(text) && !wordsOf(text).some((word) => names.has(word))
}
