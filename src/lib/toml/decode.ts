import {
  Kind,
  KindGuard,
  type Static,
  type TArray,
  type TObject,
  type TRecord,
  type TSchema,
  Type,
} from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JsonObject, JsonValue } from '../json-value.ts'
import { plural } from '../quantities.ts'
import { nearest } from '../suggestion.ts'
import { parseToml } from './parse.ts'
import { type Located, type Shape, type Shapes, shape, type TableShape } from './shape.ts'
import {
  describeValue,
  emptyTable,
  type Place,
  statedFault,
  type TomlFault,
  type TomlTable,
  type TomlValue,
} from './value.ts'

export interface Decoding<T> {
  /** `null` if there is any fault. */
  value: T | null
  /** The keys that could be decoded, for checks that want to add their faults to these. */
  partial: Partial<T>
  faults: TomlFault[]
  /** The place of a key at the top of the document. */
  place(name: string): Place
}

/** Decodes TOML text and reports all faults of the document at once; a syntax error is reported alone. */
export function decodeToml<S extends Shapes>(
  text: string,
  description: TableShape<S>,
): Decoding<Static<TableShape<S>>> {
  const { table, fault } = parseToml(text)
  if (table !== null) return decodeTable(table, description)
  return { value: null, partial: {}, faults: [fault], place: (key) => ({ key, line: null }) }
}

export function decodeTable<S extends Shapes>(
  root: TomlTable,
  description: TableShape<S>,
): Decoding<Static<TableShape<S>>> {
  const faults: TomlFault[] = []
  const partial = decodeFields(description.properties, root, new At('', null, faults)) as Partial<Static<TableShape<S>>>
  const paths = leaves(description).map(({ path }) => path)
  return {
    value: faults.length === 0 ? (partial as Static<TableShape<S>>) : null,
    partial,
    faults: faults.map((fault) => pointedElsewhere(fault, paths)).sort(byLine),
    place: (name) => ({ key: name, line: root.entries.get(name)?.line ?? null }),
  }
}

interface Leaf {
  path: string[]
  shape: Shape<unknown>
}

/** Every key that a table may hold, tables within tables opened. Lists of tables are not. */
export function leaves(table: TObject): Leaf[] {
  return Object.entries(table.properties as Shapes).flatMap(([name, shape]) => {
    if (!KindGuard.IsObject(shape)) return [{ path: [name], shape }]
    return leaves(shape).map((leaf) => ({ ...leaf, path: [name, ...leaf.path] }))
  })
}

/** Catches a key below the wrong [table] header, the most common mistake in TOML. */
function pointedElsewhere(fault: TomlFault, paths: string[][]): TomlFault {
  if (fault.key === null || !fault.message.startsWith(unknownHere)) return fault
  const name = fault.key.split('.').at(-1)
  const path = paths.find((path) => path.at(-1) === name)
  if (path === undefined || name === undefined) return fault
  const home = path.length === 1 ? 'at the top, above the first [table]' : `in [${path.slice(0, -1).join('.')}]`
  return { ...fault, message: `no such setting here; "${name}" stands ${home}` }
}

const byLine = (a: TomlFault, b: TomlFault): number => (a.line ?? 0) - (b.line ?? 0)

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
    ? decodedTable(shape, emptyTable(at.line), at)
    : at.state(`missing; must be ${shape.expected}`)
}

function present(shape: Shape<unknown>, value: TomlValue, at: At): Decoded<unknown> {
  if (shape.isEmptyNull === true && value.kind === 'string' && value.value === '') return { value: null }
  if (KindGuard.IsObject(shape))
    return value.kind === 'table' ? decodedTable(shape, value, at) : at.unexpected(shape, value)
  if (isJsonTable(shape)) return value.kind === 'table' ? jsonOf(value, at) : at.unexpected(shape, value)
  if (KindGuard.IsRecord(shape))
    return value.kind === 'table' ? decodeMap(shape, value, at) : at.unexpected(shape, value)
  if (KindGuard.IsArray(shape)) return decodeList(shape, value, at)
  return decodeScalar(shape, value, at)
}

function decodedTable(shape: TObject, table: TomlTable, at: At): Decoded<unknown> {
  const fields = shape.properties as Shapes
  const decoded = decodeFields(fields, table, at)
  return Object.keys(fields).every((name) => Object.hasOwn(decoded, name)) ? { value: decoded } : null
}

/** Faults of one table; what was meant takes long to find for each. */
const unknownKeysMax = 100

/** The keys that could be decoded; faults are reported for the others. */
function decodeFields(fields: Shapes, table: TomlTable, at: At): Record<string, unknown> {
  const unknown = [...table.entries].filter(([name]) => !Object.hasOwn(fields, name))
  for (const [index, [name, { line }]] of unknown.slice(0, unknownKeysMax + 1).entries()) {
    const isShown = index < unknownKeysMax
    const message = isShown
      ? unknownKey(name, Object.keys(fields))
      : `no such setting; ${unknown.length - index} of this table are not shown one by one`
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
  return meant === null ? `${unknownHere}: ${known.join(', ')}` : `no such setting; did you mean "${meant}"?`
}

/** How the message of an unknown key begins that resembles none of its neighbours. */
const unknownHere = 'no such setting; possible here'

/** A faulty value is reported and left out. */
function decodeMap(shape: TRecord & Shape<unknown>, { entries }: TomlTable, at: At): Decoded<Record<string, unknown>> {
  const { maxProperties = 0, patternProperties } = shape
  const [item] = Object.values(patternProperties) as Shape<unknown>[]
  if (entries.size > maxProperties) return at.state(`more than ${maxProperties} keys`)
  const decoded = [...entries].flatMap(([name, { value, line }]): [string, unknown][] => {
    const result = item === undefined ? null : decodeValue(item, value, at.child(name, line))
    return result === null ? [] : [[name, result.value]]
  })
  return decoded.length === entries.size ? { value: Object.fromEntries(decoded) } : null
}

/** Faulty items are reported and left out, so that checks of the others continue. */
function decodeList(shape: TArray & Shape<unknown>, value: TomlValue, at: At): Decoded<unknown[]> {
  const { maxItems = 0, minItems = 0, uniqueItems = false } = shape
  if (value.kind !== 'array') return at.unexpected(shape, value)
  if (value.items.length > maxItems) return at.state(`more than ${maxItems} items`)
  if (value.items.length < minItems) return at.state(`must have at least ${plural(minItems, 'item')}`)
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
    if (/\p{Cc}/u.test(line)) return at.state(`must be ${shape.expected}, without control characters`)
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

/** A place in the document while it is decoded, with the list that its faults go to. */
class At implements Place {
  constructor(
    readonly key: string,
    readonly line: number | null,
    private readonly faults: TomlFault[],
  ) {}

  /** For secrets, only the kind is named. */
  unexpected({ expected, secret = false }: { expected: string; secret?: boolean }, value: TomlValue): null {
    return this.state(`must be ${expected}; found ${describeValue(value, secret)}`)
  }

  state(message: string): null {
    this.faults.push(statedFault(this, message))
    return null
  }

  child(name: string, line: number | null): At {
    return new At(childKey(this.key, name), line, this.faults)
  }

  item(index: number, line: number | null): At {
    return new At(`${this.key}[${index}]`, line, this.faults)
  }
}

function childKey(parent: string, name: string): string {
  const shown = /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name.slice(0, shownKeyCharactersMax))
  return parent === '' ? shown : `${parent}.${shown}`
}

const shownKeyCharactersMax = 80

const kind = 'JsonTable'

/** A table with arbitrary keys, as JSON. What JSON cannot represent is a fault. */
export const jsonTable = (): Shape<JsonObject> => shape(Type.Unsafe({ [Kind]: kind }), { expected: 'a table' })

const isJsonTable = (schema: TSchema): boolean => schema[Kind] === kind

function objectOf(table: TomlTable, at: At): { value: JsonObject } | null {
  const entries: [string, JsonValue][] = []
  for (const [name, entry] of table.entries) {
    const decoded = jsonOf(entry.value, at.child(name, entry.line))
    if (decoded === null) return null
    entries.push([name, decoded.value])
  }
  // Object.fromEntries makes `__proto__` an own key.
  return { value: Object.fromEntries(entries) }
}

function jsonOf(value: TomlValue, at: At): { value: JsonValue } | null {
  switch (value.kind) {
    case 'string':
    case 'boolean':
      return { value: value.value }
    case 'integer':
    case 'float':
      return isJsonNumber(value) ? { value: value.value } : at.unexpected(jsonNumber, value)
    case 'date':
      return at.unexpected({ expected: 'a date in quotes, since JSON has none' }, value)
    case 'table':
      return objectOf(value, at)
    case 'array':
      return listOfJson(value.items, at)
  }
}

const jsonNumber = { expected: 'a number that JSON can hold' }

const isJsonNumber = (value: { kind: 'integer' | 'float'; value: number }): boolean =>
  value.kind === 'integer' ? Number.isSafeInteger(value.value) : Number.isFinite(value.value)

function listOfJson(items: { value: TomlValue; line: number | null }[], at: At): { value: JsonValue[] } | null {
  const list: JsonValue[] = []
  for (const [index, item] of items.entries()) {
    const decoded = jsonOf(item.value, at.item(index, item.line))
    if (decoded === null) return null
    list.push(decoded.value)
  }
  return { value: list }
}

/**
 * Reads text, such as an environment variable, as the value of a key: a list by its commas. What fits neither a number
 * nor a boolean stays a string, so that the fault shows it.
 */
export function fromText(shape: Shape<unknown>, text: string): TomlValue {
  if (KindGuard.IsArray(shape)) {
    const parts = text.split(',').map((part) => part.trim())
    const item = shape.items as Shape<unknown>
    const items = parts.filter((part) => part !== '').map((part) => ({ value: fromText(item, part), line: null }))
    return { kind: 'array', items }
  }
  const trimmed = text.trim()
  if (KindGuard.IsInteger(shape) && /^[+-]?\d+$/.test(trimmed))
    return { kind: 'integer', value: Number(trimmed), text: trimmed }
  if (KindGuard.IsBoolean(shape) && /^(true|false)$/.test(trimmed))
    return { kind: 'boolean', value: trimmed === 'true' }
  return { kind: 'string', value: text }
}
