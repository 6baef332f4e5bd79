import type { Scope } from '../../account/scope.ts'
import { NotAllowed } from '../../lib/operator-error.ts'
import type { Caller, TokenCaller } from './caller.ts'
import { type AccountRole, scopesOfRole } from './role.ts'

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
  if (!invited.isOwner)
    mayHandOn(caller, { scopes: scopesOfRole[invited.role], accountId: invited.accountId, expiresAt })
  else if (caller?.kind === 'token') throw new NotAllowed(`A token cannot invite owners. ${byOthers}`)
}

/** Between the check and the writing, its maker was revoked or removed. */
export const makerGone = 'Your token was revoked, or your user removed, meanwhile. Nothing was made.'

const beyondScopes = ({ scopes }: TokenCaller): string =>
  `A token gives only the scopes that it has itself; this one has: ${[...scopes].join(', ')}. ${byOthers}`
