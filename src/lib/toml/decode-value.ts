import { KindGuard, type TArray, type TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { plural } from '../quantities.ts'
import { nearest } from '../suggestion.ts'
import type { At } from './at.ts'
import { isJsonTable, jsonOf } from './json-table.ts'
import type { Located, Shape, Shapes } from './shape.ts'
import { emptyTable, type TomlTable, type TomlValue } from './value.ts'

/**
 * `null`: a fault was reported. A value may still have faults reported inside it, so that checks across keys can
 * continue; only the list of faults says whether a document is valid.
 */
type Decoded<T> = { value: T } | null

/** Decodes a key's value; `null`: the document lacks the key. */
function decodeValue(shape: Shape<unknown>, value: TomlValue | null, at: At): Decoded<unknown> {
  const decoded = value === null ? absent(shape, at) : present(shape, value, at)
  return decoded !== null && shape.isLocated === true ? { value: locatedAt(decoded.value, value, at) } : decoded
}

function absent(shape: Shape<unknown>, at: At): Decoded<unknown> {
  if ('default' in shape) return { value: shape.default }
  return KindGuard.IsObject(shape)
    ? decodeTable(shape, emptyTable(at.line), at)
    : at.state(`missing; expected ${shape.expected}`)
}

function present(shape: Shape<unknown>, value: TomlValue, at: At): Decoded<unknown> {
  if (shape.isEmptyNull === true && value.kind === 'string' && value.value === '') return { value: null }
  if (KindGuard.IsObject(shape))
    return value.kind === 'table' ? decodeTable(shape, value, at) : at.unexpected(shape, value)
  if (isJsonTable(shape)) return value.kind === 'table' ? jsonOf(value, at) : at.unexpected(shape, value)
  if (KindGuard.IsArray(shape)) return decodeList(shape, value, at)
  return decodeScalar(shape, value, at)
}

function decodeTable(shape: TObject, table: TomlTable, at: At): Decoded<unknown> {
  const fields = shape.properties as Shapes
  const decoded = decodeFields(fields, table, at)
  return Object.keys(fields).every((name) => Object.hasOwn(decoded, name)) ? { value: decoded } : null
}

/** Faults of one table; what was meant takes long to find for each. */
const unknownKeysMax = 100

/** The keys that could be decoded; faults are reported for the others. */
export function decodeFields(fields: Shapes, table: TomlTable, at: At): Record<string, unknown> {
  const unknown = [...table.entries].filter(([name]) => !Object.hasOwn(fields, name))
  for (const [index, [name, { line }]] of unknown.slice(0, unknownKeysMax + 1).entries()) {
    const isShown = index < unknownKeysMax
    const message = isShown
      ? unknownKey(name, Object.keys(fields))
      : `unknown key; ${unknown.length - index} of this table are not shown one by one`
    at.child(name, line).state(message)
  }
  const decoded: [string, unknown][] = []
  for (const [name, field] of Object.entries(fields)) {
    const entry = table.entries.get(name)
    const result = decodeValue(
      field,
      entry?.value ?? null,
      at.child(name, entry === undefined ? table.line : entry.line),
    )
    if (result !== null) decoded.push([name, result.value])
  }
  return Object.fromEntries(decoded)
}

function unknownKey(name: string, known: string[]): string {
  const meant = nearest(name, known)
  return meant === null ? `${unknownHere}: ${known.join(', ')}` : `unknown key; did you mean "${meant}"?`
}

/** How the message of an unknown key begins that resembles none of its neighbours. */
export const unknownHere = 'unknown key; known here'

/** Faulty items are reported and left out, so that checks of the others continue. */
function decodeList(shape: TArray & Shape<unknown>, value: TomlValue, at: At): Decoded<unknown[]> {
  const { maxItems = 0, minItems = 0, uniqueItems = false } = shape
  if (value.kind !== 'array') return at.unexpected(shape, value)
  if (value.items.length > maxItems) return at.state(`more than ${maxItems} items`)
  if (value.items.length < minItems) return at.state(`expected at least ${plural(minItems, 'item')}`)
  const items: unknown[] = []
  const seen = new Set<string>()
  for (const [index, entry] of value.items.entries()) {
    const itemAt = at.item(index, entry.line)
    const decoded = decodeValue(shape.items as Shape<unknown>, entry.value, itemAt)
    if (decoded === null) continue
    const name = uniqueItems ? JSON.stringify(decoded.value) : String(index)
    if (seen.has(name)) itemAt.state('listed twice')
    seen.add(name)
    items.push(decoded.value)
  }
  return { value: items }
}

function decodeScalar(shape: Shape<unknown>, value: TomlValue, at: At): Decoded<unknown> {
  // No shape accepts a float or a date; TypeBox would accept 2.0 as an integer.
  const plain = value.kind === 'string' || value.kind === 'boolean' || value.kind === 'integer' ? value.value : null
  if (typeof plain === 'string' && KindGuard.IsString(shape)) {
    const line = shape.isMultiline === true ? plain.replace(/\r?\n|\t/g, '') : plain
    if (/\p{Cc}/u.test(line)) return at.state(`expected ${shape.expected}, found a control character`)
    const { charactersMax = Number.POSITIVE_INFINITY } = shape
    if (Array.from(plain).length > charactersMax) return at.state(`longer than ${charactersMax} characters`)
  }
  if (!Value.Check(shape, plain)) return at.unexpected(shape, value)
  const result = shape.parse?.(plain) ?? { value: plain }
  if ('value' in result) return result
  return 'fault' in result ? at.state(result.fault) : at.unexpected({ ...shape, ...result }, value)
}

function locatedAt(decoded: unknown, value: TomlValue | null, at: At): Located<unknown> {
  const keys = value?.kind === 'table' ? value.entries : null
  return {
    value: decoded,
    key: at.key,
    line: at.line,
    place: (name) => at.child(name, keys?.get(name)?.line ?? at.line),
  }
}
