import { type TSchema, Type } from '@sinclair/typebox'

/** A schema that also accepts `null`. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
