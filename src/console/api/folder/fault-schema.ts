import { Type } from '@sinclair/typebox'
import { count, orNull, text, textOrNull } from '../schema.ts'

/** A fault of a site folder, as `apply` lists them. */
export const fault = Type.Object({ file: text, line: orNull(count), key: textOrNull, message: text })
