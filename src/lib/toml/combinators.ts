import type { At, Decoded, Decoder } from './decoder.ts'
import { missingKey, type Place } from './fault.ts'
import type { TomlValue } from './value.ts'

export const optional = <T>(decoder: Decoder<T>): Decoder<T | null> => withDefault<T | null>(decoder, null)

export const withDefault = <T>(decoder: Decoder<T>, value: T): Decoder<T> => ({ ...decoder, absent: () => ({ value }) })

/** Text where an empty string says the same as no key at all. */
export const optionalText = <T>(decoder: Decoder<T>): Decoder<T | null> => ({
  ...decoder,
  decode: (value, at) => (value.kind === 'string' && value.value === '' ? { value: null } : decoder.decode(value, at)),
  absent: () => ({ value: null }),
})

/** `expected` is a noun phrase, answered with what was found; `fault` a sentence of its own: "must not …". */
export type Parsed<U> = { value: U } | { expected: string } | { fault: string }

/** Goes on from a decoded value to a narrower one. */
export function parsed<T, U>(decoder: Decoder<T>, parse: (value: T) => Parsed<U>): Decoder<U> {
  const { secret } = decoder
  const onward = (decoded: Decoded<T>, at: At, value: TomlValue | null): Decoded<U> => {
    if (decoded === null) return null
    const result = parse(decoded.value)
    if ('value' in result) return result
    if ('fault' in result) return at.state(result.fault)
    return value === null ? at.state(`expected ${result.expected}`) : at.unexpected({ ...result, secret }, value)
  }
  return {
    ...decoder,
    decode: (value, at) => onward(decoder.decode(value, at), at, value),
    absent: (at) => onward(decoder.absent(at), at, null),
  }
}

/** A value that keeps its place, so that a check across keys can name it. */
export interface Located<T> extends Place {
  value: T
  /** The place of a key inside the value; the value's own line where the key does not stand in the document. */
  place(name: string): Place
}

export function located<T>(decoder: Decoder<T>): Decoder<Located<T>> {
  const locate = (decoded: Decoded<T>, at: At, value: TomlValue | null): Decoded<Located<T>> => {
    if (decoded === null) return null
    const place = (name: string): Place => at.child(name, lineWithin(value, name) ?? at.line)
    return { value: { value: decoded.value, key: at.key, line: at.line, place } }
  }
  return {
    ...decoder,
    decode: (value, at) => locate(decoder.decode(value, at), at, value),
    absent: (at) => locate(decoder.absent(at), at, null),
  }
}

const lineWithin = (value: TomlValue | null, name: string): number | null =>
  value?.kind === 'table' ? (value.entries.get(name)?.line ?? null) : null

export interface ListOptions {
  itemsMax: number
  itemsMin?: number
  /** No two items may decode to the same value. */
  unique?: boolean
}

/** A list. Items that are faulty are reported and left out, so that checks of the others go on. */
export function listOf<T>(item: Decoder<T>, options: ListOptions): Decoder<T[]> {
  const { itemsMax, itemsMin = 0, unique = false } = options
  const expected = `a list, each item ${item.expected}`
  const itemFromText = item.fromText
  return {
    expected,
    secret: item.secret,
    fields: null,
    absent: (at) => at.report(missingKey(at, expected)),
    fromText: itemFromText === null ? null : (text) => ({ kind: 'array', items: commaSeparated(text, itemFromText) }),
    decode(value, at) {
      if (value.kind !== 'array') return at.unexpected({ expected, secret: item.secret }, value)
      if (value.items.length > itemsMax) return at.state(`more than ${itemsMax} items`)
      if (value.items.length < itemsMin) return at.state(`expected at least ${itemsMin} item(s)`)
      const items: T[] = []
      const seen = new Set<string>()
      for (const [index, entry] of value.items.entries()) {
        const itemAt = at.item(index, entry.line)
        const decoded = item.decode(entry.value, itemAt)
        if (decoded === null) continue
        const name = unique ? JSON.stringify(decoded.value) : String(index)
        if (seen.has(name)) itemAt.state('listed twice')
        seen.add(name)
        items.push(decoded.value)
      }
      return { value: items }
    },
  }
}

const commaSeparated = (text: string, fromText: (text: string) => TomlValue) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ value: fromText(part), line: null }))
