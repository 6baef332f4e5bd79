import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { note } from '../audit/noted-act.ts'
import type { RefusedTries } from '../audit/refused-tries.ts'
import type { BrowserSession, SessionStore } from '../session/session.ts'
import { newSessionSecret, sessionHash } from '../session/session-cookie.ts'
import type { Credentials, User } from '../user/user.ts'
import type { UserStore } from '../user/user-store.ts'
import { type AttemptBudgets, signInBudgets } from './attempts.ts'
import { type Passwords, TooManyPasswords } from './password.ts'
import { recoveryHash } from './recovery-codes.ts'
import { totpStep } from './totp.ts'

export interface SignInParts {
  users: UserStore
  sessions: SessionStore
  audit: AuditLog
  refused: RefusedTries
  budgets: AttemptBudgets
  passwords: Passwords
  clock: Pick<Clock, 'now'>
}

/** Where a sign-in comes from. */
export interface Browser {
  address: string
  userAgent: string
}

export interface PasswordSignIn extends Browser {
  email: string
  password: string
  /** A code from the authenticator app, or a recovery code. */
  code: string
}

export type SignInOutcome =
  /** `secret` is for the cookie. */
  | { signedIn: BrowserSession; secret: string }
  /** The answer does not say which of the three was wrong. */
  | { refused: 'wrong' }
  | { refused: 'too_many'; retryAfterSeconds: number }

const userAgentCharactersMax = 200
const busySeconds = 5

/** Signs in with a password and a one-time code (docs/console.md). */
export async function signInByPassword(parts: SignInParts, given: PasswordSignIn): Promise<SignInOutcome> {
  const email = given.email.trim().toLowerCase()
  const retryAfterSeconds = await parts.budgets.take(signInBudgets(given.address, email))
  if (retryAfterSeconds > 0) return tooMany(parts, given, retryAfterSeconds)
  const user = await parts.users.findByEmail(email)
  const credentials = user && (await parts.users.credentials(user.id))
  try {
    const isProved = await isProvedByPassword(parts, { user, credentials, given })
    if (user !== null && isProved) return { ...(await beginSession(parts, user, given)) }
  } catch (error) {
    if (error instanceof TooManyPasswords) return tooMany(parts, given, busySeconds)
    throw error
  }
  await noteRefusal(parts, user, given)
  return { refused: 'wrong' }
}

interface Claim {
  user: User | null
  credentials: Credentials | null
  given: Pick<PasswordSignIn, 'password' | 'code'>
}

/** Whether password and code are the user's. A wrong password does not spend a code. */
export async function isProvedByPassword(
  { users, passwords, clock }: Pick<SignInParts, 'users' | 'passwords' | 'clock'>,
  { user, credentials, given }: Claim,
): Promise<boolean> {
  const matches = await passwords.verify(given.password, credentials?.passwordHash ?? null)
  if (!matches || user === null || credentials === null || credentials.totpSecret === null) return false
  const step = totpStep(credentials.totpSecret, given.code, clock.now())
  if (step !== null) return users.spendTotpStep(user.id, step)
  return users.spendRecoveryCode(user.id, recoveryHash(given.code))
}

/** A new session for an authenticated user. Its secret is new, so that a planted secret is useless. */
export async function beginSession(
  { users, sessions, audit, clock }: Omit<SignInParts, 'passwords' | 'budgets' | 'refused'>,
  user: User,
  { address, userAgent }: Browser,
): Promise<{ signedIn: BrowserSession; secret: string }> {
  const now = clock.now()
  const secret = newSessionSecret()
  const signedIn: BrowserSession = {
    id: newId(),
    userId: user.id,
    createdAt: now,
    lastUsedAt: now,
    provedAt: now,
    userAgent: userAgent.slice(0, userAgentCharactersMax),
    address,
  }
  await sessions.begin(sessionHash(secret), signedIn)
  await users.noteSignIn(user.id, now)
  const actor = { kind: 'user', id: user.id, label: user.email } as const
  const act = { action: 'session.begin', accountId: null, subject: signedIn.id, by: { actor, address } } as const
  await note(act, { audit, clock }, { outcome: 'done' })
  return { signedIn, secret }
}

const endpoint = 'POST /sign-in'

async function tooMany(
  { refused }: SignInParts,
  { address }: Browser,
  retryAfterSeconds: number,
): Promise<SignInOutcome> {
  await refused.note({ kind: 'too_many', endpoint, address })
  return { refused: 'too_many', retryAfterSeconds }
}

/** An address that is no user's is not written down: it may be a password in the wrong field. */
const noteRefusal = ({ refused }: SignInParts, user: User | null, { address }: Browser): Promise<void> =>
  refused.note({
    kind: user === null ? 'unknown_user' : 'wrong_password',
    endpoint,
    address,
    ...(user !== null && { subject: user.id }),
  })
