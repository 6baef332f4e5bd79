import { type Static, Type } from '@sinclair/typebox'
import type { Actor } from '../../audit/audit-log.ts'

/** The person or program that did something, as the audit log names them. */
export const actorSchema = Type.Object({
  kind: Type.Union([Type.Literal('user'), Type.Literal('token'), Type.Literal('command'), Type.Literal('nobody')]),
  id: Type.String(),
  label: Type.String(),
}) satisfies { static: Actor }

export type ActorJson = Static<typeof actorSchema>
