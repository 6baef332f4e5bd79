import type { Clock } from '../../lib/clock.ts'
import { newKeyText } from '../../lib/id.ts'
import { NotAllowed, OperatorError } from '../../lib/operator-error.ts'
import { type Caller, lastsUntil, makerOf } from '../access/caller.ts'
import { makerGone, mayInvite } from '../access/hand-on.ts'
import type { Invited } from './user.ts'
import type { UserStore } from './user-store.ts'

const secretCharacters = 43
/** Of an invitation's secret. */
export const invitationSecretPattern = `[A-Za-z0-9]{${secretCharacters}}`
export const invitationMs = 86_400_000
const emailCharactersMax = 254
/** Addresses that every mail system accepts. */
const emailPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** The hash by which an invitation is found: SHA-256 in hex of the secret in its link. */
export const invitationHash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

/**
 * The path of the link that makes the user. It works once, within 24 hours, and no longer than the token that makes it.
 *
 * @param by `null`: a command on the box
 * @throws OperatorError for an invalid address; NotAllowed when a token would give more than it has
 */
export async function inviteUser(
  { users, clock }: { users: UserStore; clock: Pick<Clock, 'now'> },
  { email: typed, invited, by }: { email: string; invited: Invited; by: Caller | null },
): Promise<{ path: string; email: string; expiresAt: number }> {
  const email = typed.trim().toLowerCase()
  if (email.length > emailCharactersMax || !emailPattern.test(email)) {
    throw new OperatorError('This is not an email address. Write it as name@example.com.', 2)
  }
  const secret = newKeyText(secretCharacters)
  const at = clock.now()
  const expiresAt = Math.min(at + invitationMs, lastsUntil(by))
  mayInvite(by, invited, expiresAt)
  const isMade = await users.invite(invitationHash(secret), { email, invited, expiresAt }, { ...makerOf(by), at })
  if (!isMade) throw new NotAllowed(makerGone)
  return { path: `/invitation/${secret}`, email, expiresAt }
}
