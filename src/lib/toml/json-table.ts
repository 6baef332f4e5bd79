import { Kind, type TSchema, Type } from '@sinclair/typebox'
import type { JsonObject, JsonValue } from '../json-value.ts'
import type { At } from './at.ts'
import { type Shape, shape } from './shape.ts'
import type { TomlTable, TomlValue } from './value.ts'

const kind = 'JsonTable'

/** A table with arbitrary keys, as JSON. What JSON cannot represent is a fault. */
export const jsonTable = (): Shape<JsonObject> => shape(Type.Unsafe({ [Kind]: kind }), { expected: 'a table' })

export const isJsonTable = (schema: TSchema): boolean => schema[Kind] === kind

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

export function jsonOf(value: TomlValue, at: At): { value: JsonValue } | null {
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
