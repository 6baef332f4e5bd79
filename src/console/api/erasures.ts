import { type Static, Type } from '@sinclair/typebox'
import type { erasureAnswer } from '../../operations/erasure/erase.ts'
import type { Caller } from '../access/caller.ts'
import { permissionOnBox } from '../access/permission.ts'

/** Of every call that erases. */
export const dryRunQuery = Type.Object({ dryRun: Type.Boolean({ default: false }) })

/** The receipt as the caller may see it: where earlier databases lie is nothing to whoever works on one account. */
export function receiptFor(
  caller: Caller,
  { snapshots, movedAside, ...receipt }: Static<typeof erasureAnswer>,
): Static<typeof erasureAnswer> {
  const isOfBox = permissionOnBox(caller, 'erase') === 'whole'
  return { ...receipt, ...(isOfBox && { snapshots, movedAside }) }
}
