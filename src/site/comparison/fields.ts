import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { isJsonObject } from '../../lib/lossless-json.ts'
import { textDiff } from '../../lib/text-diff.ts'
import type { FieldChange } from '../change.ts'

/** Fields named for one change; the others are counted. */
const fieldsMax = 200
const textCharactersMax = 2000

/** What tells the entries of a list apart. Of any other list, the items do. */
const identities: Readonly<Record<string, string>> = {
  goals: 'name',
  funnels: 'name',
  splits: 'page',
  variants: 'name',
  redirects: 'from',
}

/**
 * What differs between two tables, key by key: `schema.properties.email.type`, `goals.Lead.form`. Of a list, `before` has what is
 * removed, and `after` what is added; both have all of it where only the order changed. What is secret is never shown.
 */
export function changedFields(before: Table, after: Table, secrets: readonly string[] = []): FieldChange[] {
  const fields = [...differences('', before as JsonObject, after as JsonObject)].map((difference) =>
    secrets.includes(difference.field) ? masked(difference) : shown(difference),
  )
  if (fields.length <= fieldsMax) return fields
  const more = { field: '…', before: null, after: `${fields.length - fieldsMax} more keys` }
  return [...fields.slice(0, fieldsMax), more]
}

/** Plain values alone, which may be absent. */
type Table = object

interface Difference {
  field: string
  before: JsonValue
  after: JsonValue
}

function* differences(field: string, before: JsonValue, after: JsonValue): Generator<Difference> {
  if (Bun.deepEquals(before, after)) return
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* differences(below(field, key), valueIn(before, key), valueIn(after, key))
  } else if (Array.isArray(before) && Array.isArray(after)) yield* listDifferences(field, before, after)
  else yield { field, before, after }
}

function* listDifferences(field: string, before: JsonValue[], after: JsonValue[]): Generator<Difference> {
  const identity = identities[field.slice(field.lastIndexOf('.') + 1)]
  if (identity === undefined) return yield { field, ...changedItems(before, after) }
  const was = entriesOf(before, identity)
  const is = entriesOf(after, identity)
  const names = changedItems([...was.keys()], [...is.keys()])
  if (names.isMoved) yield { field, before: names.before, after: names.after }
  for (const name of new Set([...was.keys(), ...is.keys()]))
    yield* differences(below(field, name), was.get(name) ?? null, is.get(name) ?? null)
}

/** The items removed and added; all of them where those that stay have changed places. */
function changedItems(before: JsonValue[], after: JsonValue[]) {
  const was = new Set(before.map(keyOf))
  const is = new Set(after.map(keyOf))
  const stayed = before.filter((item) => is.has(keyOf(item))).map(keyOf)
  const isMoved = !Bun.deepEquals(stayed, after.filter((item) => was.has(keyOf(item))).map(keyOf))
  if (isMoved) return { before, after, isMoved }
  return {
    before: listed(before.filter((item) => !is.has(keyOf(item)))),
    after: listed(after.filter((item) => !was.has(keyOf(item)))),
    isMoved,
  }
}

const keyOf = (item: JsonValue): string => JSON.stringify(item)
const listed = (items: JsonValue[]): JsonValue[] | null => (items.length > 0 ? items : null)

/** The entries of a list without what tells them apart, by that. */
const entriesOf = (list: JsonValue[], identity: string): Map<string, JsonObject> =>
  new Map(
    list.filter(isJsonObject).map(({ [identity]: name, ...entry }) => [typeof name === 'string' ? name : '', entry]),
  )

/** Names of prototypes are keys like any other. */
const valueIn = (table: JsonObject, key: string): JsonValue => (Object.hasOwn(table, key) ? (table[key] ?? null) : null)

const bareKey = /^[A-Za-z0-9_$/*-]+$/

const below = (field: string, key: string): string => {
  const name = bareKey.test(key) ? key : JSON.stringify(key)
  return field === '' ? name : `${field}.${name}`
}

const masked = ({ field, before, after }: Difference): FieldChange => ({
  field,
  before: before === null ? null : '(secret)',
  after: after === null ? null : '(changed)',
})

function shown({ field, before, after }: Difference): FieldChange {
  const texts = { before: textOf(before), after: textOf(after) }
  // The number 5 and the text "5" read alike.
  const isAlike = texts.before === texts.after
  const diff = isText(before) && isText(after) && `${before}${after}`.includes('\n') ? textDiff(before, after) : null
  return {
    field,
    before: shortened(isAlike ? keyOf(before) : texts.before),
    after: shortened(isAlike ? keyOf(after) : texts.after),
    ...(diff !== null && { diff }),
  }
}

const isText = (value: JsonValue): value is string => typeof value === 'string'

/** `null`: there is no value. */
function textOf(value: JsonValue): string | null {
  if (value === null) return null
  if (Array.isArray(value)) return value.length > 0 ? value.map(itemText).join(', ') : '[]'
  return itemText(value)
}

function itemText(value: JsonValue): string {
  if (isText(value)) return value === '' ? '""' : value
  if (Array.isArray(value)) return `[${value.map(itemText).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const keys = Object.entries(value).filter(([, of]) => of !== null)
  return keys.length > 0 ? keys.map(([key, of]) => `${key} = ${itemText(of)}`).join(', ') : '{}'
}

const shortened = (text: string | null): string | null =>
  text !== null && text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}…` : text
