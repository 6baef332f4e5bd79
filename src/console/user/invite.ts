import type { Clock } from '../../lib/clock.ts'
import { newKeyText } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Invited } from './user.ts'
import type { UserStore } from './user-store.ts'

const secretCharacters = 43
export const invitationMs = 86_400_000
const emailCharactersMax = 254
/** Addresses that every mail system accepts. */
const emailPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** The hash by which an invitation is found: SHA-256 in hex of the secret in its link. */
export const invitationHash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

/** The path of the link that makes the user. It works once, within 24 hours. @throws OperatorError for an invalid address */
export async function inviteUser(
  { users, clock }: { users: UserStore; clock: Pick<Clock, 'now'> },
  { email: typed, invited }: { email: string; invited: Invited },
): Promise<{ path: string; email: string; expiresAt: number }> {
  const email = typed.trim().toLowerCase()
  if (email.length > emailCharactersMax || !emailPattern.test(email)) {
    throw new OperatorError('This is not an email address. Write it as name@example.com.', 2)
  }
  const secret = newKeyText(secretCharacters)
  const expiresAt = clock.now() + invitationMs
  await users.invite(invitationHash(secret), { email, invited, expiresAt })
  return { path: `/invitation/${secret}`, email, expiresAt }
}
