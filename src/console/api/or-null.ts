import { type TSchema, Type } from '@sinclair/typebox'

/** What a value may be besides null. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
