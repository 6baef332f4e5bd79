import type { JsonValue } from './json-value.ts'
import { isJsonObject } from './lossless-json.ts'

/** JSON text that is the same for the same value: keys in order of their code units, numbers with the digits they have. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}
