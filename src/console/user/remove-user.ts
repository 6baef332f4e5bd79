import type { Clock } from '../../lib/clock.ts'
import { NotAllowed, NotThere, OperatorError } from '../../lib/operator-error.ts'
import type { Caller } from '../access/caller.ts'
import { byOthers } from '../access/hand-on.ts'
import type { EndedWithMaker } from '../token/api-token.ts'
import { endedJson } from '../token/token-json.ts'
import type { User } from './user.ts'
import type { UserStore } from './user-store.ts'

/** A user who is gone, with what ended with them; or an invitation that was withdrawn, before anybody was a user. */
export type RemovedUser = { email: string } & ({ user: User; ended: EndedWithMaker } | { user: null; ended: null })

/**
 * Removes a user, or withdraws the invitations of an address that is no user's.
 *
 * @param named the id or address
 * @param by `null`: a command on the box
 * @throws NotThere; NotAllowed when a token would remove an owner; OperatorError for the last owner
 */
export async function removeUser(
  { users, clock }: { users: UserStore; clock: Pick<Clock, 'now'> },
  named: string,
  by: Caller | null,
): Promise<RemovedUser> {
  const email = named.trim().toLowerCase()
  const user = (await users.findByEmail(email)) ?? (await users.find(email))
  if (user === null) {
    if ((await users.withdraw(email)) > 0) return { email, user: null, ended: null }
    throw new NotThere('Nobody with this address is a user or invited. `capture user list` shows the users.')
  }
  if (user.isOwner && by?.kind === 'token') throw new NotAllowed(`A token cannot remove owners. ${byOthers}`)
  const ended = await users.remove(user.id, clock.now())
  if (ended === 'unknown') throw new NotThere('Somebody else has removed this user meanwhile.')
  if (ended === 'last_owner')
    throw new OperatorError(
      'That is the last owner, without whom nobody could invite anybody. Invite another one first.',
    )
  return { email: user.email, user, ended }
}

/** As `user remove --json` and the API show it. */
export const removedUserJson = ({ email, ended }: RemovedUser) => ({
  email,
  removed: true,
  ...(ended !== null && { ended: endedJson(ended) }),
})
