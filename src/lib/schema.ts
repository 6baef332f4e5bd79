import { type TLiteral, type TSchema, Type } from '@sinclair/typebox'
import type { JsonObject } from './json-value.ts'

/** A schema that also accepts `null`. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of these words. */
export const oneOf = <const W extends string>(words: readonly W[], options = {}) =>
  Type.Union(
    words.map((word): TLiteral<W> => Type.Literal(word)),
    options,
  )

/** An object that may have no other members. */
export const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

export const flag = Type.Boolean()
export const text = Type.String()
export const texts = Type.Array(Type.String())
export const textOrNull = orNull(text)
export const count = Type.Integer()
export const anything = Type.Record(Type.String(), Type.Unknown())
/** An object of the visitor's: any JSON, whose numbers may be `JSON.rawJSON`. */
export const sentObject = Type.Unsafe<JsonObject>(anything)
/** Values by name. */
export const textByName = Type.Record(Type.String(), Type.String())
