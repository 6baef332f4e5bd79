import { Type } from '@sinclair/typebox'
import type { Actor } from '../../audit/audit-log.ts'
import { oneOf, text } from '../schema.ts'

/** The person or program that did something, as the audit log names them. */
export const actor = Type.Object({
  kind: oneOf(['user', 'token', 'command', 'nobody']),
  id: text,
  label: text,
}) satisfies { static: Actor }
