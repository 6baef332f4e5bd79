import { Type } from '@sinclair/typebox'
import { orNull } from '../or-null.ts'

/** A fault of a site folder, as `apply` lists them. */
export const faultSchema = Type.Object({
  file: Type.String(),
  line: orNull(Type.Integer()),
  key: orNull(Type.String()),
  message: Type.String(),
})
