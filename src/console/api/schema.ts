import { type TLiteral, type TSchema, Type } from '@sinclair/typebox'

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

export const text = Type.String()
export const texts = Type.Array(Type.String())
export const textOrNull = orNull(text)
export const count = Type.Integer()
export const anything = Type.Record(Type.String(), Type.Unknown())
/** Of a page, image or file. */
export const pageState = oneOf(['live', 'preview'])
