import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import { nearest } from '../lib/suggestion.ts'
import type { Place } from '../lib/toml/value.ts'
import { reservedFields } from './honeypot.ts'
import { schemaCharactersMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenForm } from './site-schema.ts'

/** What a form's schema may say of the whole submission (docs/forms.md). */
const formKeywords = ['type', 'required', 'properties', 'title', 'description', '$schema', '$comment']

/** JSON Schema's keywords for one field (draft 2020-12): the page's own code gets what the box does not use. */
const fieldKeywords = [
  ...['type', 'format', 'enum', 'const', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['title', 'description', 'default', 'examples', '$comment'],
]

const fieldTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/** Faults of one schema; what was meant takes long to find for each. */
const unknownWordsMax = 100

/** Checks what the client script and exports rely on: an object with a list of required names and a table of properties. */
export function checkSchema(form: WrittenForm, report: FolderReport): void {
  const { schema, honeypot } = form.value
  const place = form.place('schema')
  const at = (key: string): Place => ({ key: `${place.key}.${key}`, line: place.line })
  const { type = 'object', required = [], properties = {} } = schema
  if (JSON.stringify(schema).length > schemaCharactersMax)
    return void report.key(place, `longer than ${schemaCharactersMax} characters as JSON`)
  if (type !== 'object') report.key(at('type'), 'must be "object": a submission is one')
  if (!isListOfNames(required)) report.key(at('required'), 'must be a list of field names')
  if (!isTableOfTables(properties))
    return void report.key(at('properties'), 'must be a table with a table for each field')
  for (const unknown of unknownWords(schema, properties).take(unknownWordsMax))
    report.key(at(unknown.key), unknownWord(unknown))
  if (honeypot !== null && Object.hasOwn(properties, honeypot)) {
    report.key(
      at(`properties.${honeypot}`),
      'is the honeypot: whoever fills it in is refused; take another name for one of them',
    )
  }
  if (isListOfNames(required)) warnOfUndeclared(required, { properties, at: at('required') }, report)
  for (const name of reservedFields.filter((name) => name !== 'email' && Object.hasOwn(properties, name)))
    report.warn('reserved_field', at(`properties.${name}`), 'what a visitor sends under this name is never stored')
}

/** A visitor who lacks such a field cannot send the form; exports have no column for it. */
function warnOfUndeclared(
  required: readonly string[],
  { properties, at }: { properties: JsonObject; at: Place },
  report: FolderReport,
): void {
  const declared = Object.keys(properties)
  for (const name of new Set(required)) {
    if (declared.includes(name)) continue
    const meant = nearest(name, declared)
    const mend = meant === null ? 'declare it in properties, or do not require it' : `did you mean "${meant}"?`
    report.warn('undeclared_required', at, `requires "${name}", which it does not declare; ${mend}`)
  }
}

interface UnknownWord {
  /** Within the schema. */
  key: string
  word: JsonValue
  what: 'keyword' | 'type'
  known: readonly string[]
}

function* unknownWords(schema: JsonObject, properties: Record<string, JsonObject>): Generator<UnknownWord> {
  yield* unknownKeywords(schema, '', formKeywords)
  for (const [name, field] of Object.entries(properties)) yield* unknownInField(field, `properties.${name}`)
}

function* unknownInField(field: JsonObject, key: string): Generator<UnknownWord> {
  yield* unknownKeywords(field, `${key}.`, fieldKeywords)
  for (const word of [field.type ?? []].flat())
    if (!fieldTypes.some((type) => type === word)) yield { key: `${key}.type`, word, what: 'type', known: fieldTypes }
  if (isJsonObject(field.items)) yield* unknownInField(field.items, `${key}.items`)
}

function* unknownKeywords(of: JsonObject, prefix: string, known: readonly string[]): Generator<UnknownWord> {
  for (const word of Object.keys(of))
    if (!known.includes(word)) yield { key: `${prefix}${word}`, word, what: 'keyword', known }
}

function unknownWord({ word, what, known }: UnknownWord): string {
  const meant = typeof word === 'string' ? nearest(word, known) : null
  return meant === null
    ? `no such ${what}; possible here: ${known.join(', ')}`
    : `no such ${what}; did you mean "${meant}"?`
}

const isListOfNames = (value: JsonValue): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const isTableOfTables = (value: JsonValue): value is Record<string, JsonObject> =>
  isJsonObject(value) && Object.values(value).every(isJsonObject)
