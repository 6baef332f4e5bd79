import { type Right, type Scope, scopeOf } from '../../account/scope.ts'
import { NotAllowed } from '../../lib/operator-error.ts'
import {
  type AccountRole,
  accountRoles,
  type Caller,
  type ClientView,
  rightsOfRole,
  type TokenCaller,
  type UserCaller,
} from './caller.ts'

/** The permission that an operation needs. */
export interface Requirement {
  /** What tokens need. */
  scope: Scope
  /** What users need; absent: the scope. */
  right?: Right
  /** What clients get; absent: nothing, a 403. */
  clients?: ClientView
}

/**
 * What a caller may do with an account. `unknown`: the caller has no access to it, and must not learn whether it exists;
 * `lacking`: the caller lacks the role or scope that the operation needs.
 */
type Permission = 'whole' | 'masked' | 'lacking' | 'unknown'

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

function permissionOfUser(accountId: string, { isOwner, roles }: UserCaller, requirement: Requirement): Permission {
  if (isOwner) return 'whole'
  const part = roles.get(accountId)
  if (part === undefined) return 'unknown'
  if (!roleAllows(part.role, requirement)) return 'lacking'
  return part.role === 'client' && requirement.clients === 'masked' && !part.seesPersonalFields ? 'masked' : 'whole'
}

const roleAllows = (role: AccountRole, { scope, right = scope, clients }: Requirement): boolean =>
  rightsOfRole[role].includes(right) && (role !== 'client' || clients !== undefined)

/** The roles in an account that are enough. */
export const rolesFor = (requirement: Requirement): AccountRole[] =>
  accountRoles.filter((role) => roleAllows(role, requirement))

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

/** Rights that a caller gives to a new token or an invited user. */
interface HandedOn {
  scopes: readonly Scope[]
  /** `null`: the whole box. */
  accountId: string | null
  /** As asked for, epoch milliseconds. */
  expiresAt: number
}

/** Lives are asked for in days: the last day may end early, with the token. */
const dayMs = 86_400_000

export const byOthers = 'Ask an owner to do it in the console, or run the command on the box.'

/** A token hands on parts of itself, for no longer than itself. Users and commands (`null`) may hand on anything. @throws NotAllowed */
export function mayHandOn(caller: Caller | null, { scopes, accountId, expiresAt }: HandedOn): void {
  if (caller?.kind !== 'token') return
  if (!scopes.every((scope) => caller.scopes.has(scope))) throw new NotAllowed(beyondScopes(caller))
  if (caller.accountId !== null && caller.accountId !== accountId)
    throw new NotAllowed(`A token of an account gives access to that account alone. ${byOthers}`)
  if (expiresAt - caller.expiresAt >= dayMs)
    throw new NotAllowed(
      `What a token makes expires with the token or before: by ${new Date(caller.expiresAt).toISOString()} here. Ask for less time. ${byOthers}`,
    )
}

/** @throws NotAllowed */
export function mayInvite(
  caller: Caller | null,
  invited: { isOwner: true } | { isOwner: false; accountId: string; role: AccountRole },
  expiresAt: number,
): void {
  if (!invited.isOwner) mayGiveRole(caller, invited, expiresAt)
  else if (caller?.kind === 'token') throw new NotAllowed(`A token cannot invite owners. ${byOthers}`)
}

/** @param expiresAt of the way to get it; absent: at once @throws NotAllowed */
export const mayGiveRole = (
  caller: Caller | null,
  { role, accountId }: { role: AccountRole; accountId: string },
  expiresAt = 0,
): void => mayHandOn(caller, { scopes: rightsOfRole[role].map(scopeOf), accountId, expiresAt })

/** Between the check and the writing, its maker was revoked, removed, or lost the role. */
export const makerGone =
  'Your token was revoked, or your user removed or its role changed, meanwhile. Nothing was done.'

const beyondScopes = ({ scopes }: TokenCaller): string =>
  `A token gives only the scopes that it has itself; this one has: ${[...scopes].join(', ')}. ${byOthers}`
