import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Place } from './value.ts'

/**
 * A key's TypeBox schema, whose static type is that of the decoded value, with notes that JSON Schema has no words for.
 */
export type Shape<T> = TSchema & ShapeNotes & { static: T }

interface ShapeNotes {
  /** A noun phrase for messages. */
  expected: string
  /** The value never appears in a message. */
  secret?: boolean
  /** In Unicode code points, whereas `maxLength` counts UTF-16 units. */
  charactersMax?: number
  /** An empty string counts as `null`. */
  isEmptyNull?: boolean
  /** Narrows a value that fits the schema. */
  parse?(value: unknown): Parsed<unknown>
  isLocated?: boolean
  /** Text with line breaks and tabs; `\r\n` becomes `\n`. */
  isMultiline?: boolean
}

export type Shapes = Record<string, Shape<unknown>>

export type TableShape<S extends Shapes> = TObject<S> & Shape<Static<TObject<S>>>

/** `expected` is a noun phrase, answered with what was found; `fault` a sentence of its own: "must not …". */
export type Parsed<U> = { value: U } | { expected: string } | { fault: string }

/** A value with its place, for checks across keys. */
export interface Located<T> extends Place {
  value: T
  /** The place of a key inside the value; the value's own line where the document lacks the key. */
  place(name: string): Place
}

interface StringOptions {
  expected?: string
  secret?: boolean
  pattern?: RegExp
  charactersMax?: number
}

/** Text of one line: a control character is a fault. */
export function string(options: StringOptions = {}): Shape<string> {
  const { expected = 'a string', secret = false, pattern, charactersMax = 1000 } = options
  const schema = Type.String(pattern === undefined ? {} : { pattern: pattern.source })
  return shape<string>(schema, { expected, secret, charactersMax })
}

/** Text of several lines. */
export const text = (options: Pick<StringOptions, 'expected' | 'charactersMax'>): Shape<string> => ({
  ...parsed(string(options), (value) => ({ value: value.replaceAll('\r\n', '\n') })),
  isMultiline: true,
})

export const integer = ({ min, max }: { min: number; max: number }): Shape<number> =>
  shape(Type.Integer({ minimum: min, maximum: max }), { expected: `an integer from ${min} to ${max}` })

export const boolean = (): Shape<boolean> => shape(Type.Boolean(), { expected: 'true or false' })

export const oneOf = <const C extends string | number>(choices: readonly C[]): Shape<C> =>
  shape(Type.Union(choices.map((choice) => Type.Literal(choice))), {
    expected: alternatives(choices.map((choice) => JSON.stringify(choice))),
  })

/** `"a", "b" or "c"`. */
const alternatives = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((part) => part !== '').join(' or ')

/** A table with exactly these keys. One that is absent counts as an empty one, so that its defaults hold. */
export const table = <S extends Shapes>(fields: S): TableShape<S> =>
  shape(Type.Object(fields, { additionalProperties: false }), { expected: 'a table' }) as TableShape<S>

interface ListOptions {
  itemsMax: number
  itemsMin?: number
  /** No two items decode to the same value. */
  unique?: boolean
}

export const listOf = <T>(item: Shape<T>, { itemsMax, itemsMin = 0, unique = false }: ListOptions): Shape<T[]> =>
  shape(Type.Array(item, { maxItems: itemsMax, minItems: itemsMin, uniqueItems: unique }), {
    expected: `a list, each item ${item.expected}`,
    secret: item.secret ?? false,
  })

/** A table whose keys are names of their own, each with such a value. */
export const mapOf = <T>(item: Shape<T>, { itemsMax }: { itemsMax: number }): Shape<Record<string, T>> =>
  shape(Type.Record(Type.String(), item, { maxProperties: itemsMax }), {
    expected: `a table, each key with ${item.expected}`,
  })

export const withDefault = <T>(of: Shape<T>, value: T): Shape<T> => ({ ...of, default: value })

export const optional = <T>(of: Shape<T>): Shape<T | null> => withDefault<T | null>(of, null)

export const optionalText = <T>(of: Shape<T>): Shape<T | null> => ({ ...optional(of), isEmptyNull: true })

export const parsed = <T, U>(of: Shape<T>, parse: (value: T) => Parsed<U>): Shape<U> => shape(of, { ...of, parse })

export const located = <T>(of: Shape<T>): Shape<Located<T>> => shape(of, { ...of, isLocated: true })

/** Puts notes beside a schema whose decoded values have the type `T`. */
export const shape = <T>(schema: TSchema, notes: ShapeNotes): Shape<T> => ({ ...schema, ...notes }) as Shape<T>
