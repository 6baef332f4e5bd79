import type { Scope } from '../../account/scope.ts'
import type { Caller, UserCaller } from './caller.ts'
import { type ClientView, roleAllows } from './role.ts'

/** The permission that an operation needs. */
export interface Requirement {
  scope: Scope
  /** What clients get; absent: nothing, a 403. */
  clients?: ClientView
}

/**
 * What a caller may do with an account. `unknown`: the caller has no access to it, and must not learn whether it exists;
 * `lacking`: the caller lacks the role or scope that the operation needs.
 */
export type Permission = 'whole' | 'masked' | 'lacking' | 'unknown'

/** Decides by the caller's role or scopes alone (docs/console.md, "Colleagues and customers"). */
export function permissionOn(accountId: string, caller: Caller, requirement: Requirement): Permission {
  if (caller.kind === 'user') return permissionOfUser(accountId, caller, requirement)
  if (!hasPart(caller, accountId)) return 'unknown'
  return caller.scopes.has(requirement.scope) ? 'whole' : 'lacking'
}

/** Whether the caller may know that the account exists. */
export const hasPart = (caller: Caller, accountId: string): boolean =>
  caller.kind === 'user'
    ? caller.isOwner || caller.roles.has(accountId)
    : caller.accountId === null || caller.accountId === accountId

function permissionOfUser(
  accountId: string,
  { isOwner, roles }: UserCaller,
  { scope, clients }: Requirement,
): Permission {
  if (isOwner) return 'whole'
  const part = roles.get(accountId)
  if (part === undefined) return 'unknown'
  if (!roleAllows(part.role, scope)) return 'lacking'
  if (part.role !== 'client' || clients === 'whole') return 'whole'
  if (clients === undefined) return 'lacking'
  return part.seesPersonalFields ? 'whole' : 'masked'
}

/** Whether the caller sees what colleagues see; clients see neither states nor notes. */
export const isStaff = (accountId: string, caller: Caller): boolean =>
  permissionOn(accountId, caller, { scope: 'read' }) === 'whole'

/** Whether the caller is of the box, not of an account: an owner, or a token of the box. */
export const isOfBox = (caller: Caller): boolean =>
  caller.kind === 'user' ? caller.isOwner : caller.accountId === null

/** Which names the caller may connect to an account (docs/domains.md). */
export const connectsOf = (caller: Caller): 'any' | 'proven' => (isOfBox(caller) ? 'any' : 'proven')

/** Whether the caller may act on the whole box: owners and tokens of the box may. */
export function permissionOnBox(caller: Caller, scope: Scope): 'whole' | 'lacking' {
  const isAllowed = isOfBox(caller) && (caller.kind === 'user' || caller.scopes.has(scope))
  return isAllowed ? 'whole' : 'lacking'
}
