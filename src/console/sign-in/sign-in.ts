import { type SigningKeyStore, type SigningKeys, signingKeyIdPattern } from '../../account/signing-key.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, newKeyText } from '../../lib/id.ts'
import { macCharacters, sign, verifies } from '../../lib/sign.ts'
import { type AttemptBudgets, signInBudgets } from '../access/attempts.ts'
import type { Arrived } from '../arrived.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { note } from '../audit/noted-act.ts'
import type { RefusedTries } from '../audit/refused-tries.ts'
import {
  type BrowserSession,
  type CookiePlace,
  cookieValue,
  hostCookieName,
  newSessionSecret,
  type Proof,
  type SessionStore,
  sessionCookie,
  sessionHash,
  sessionSecret,
  setCookie,
} from '../session/session.ts'
import type { Credentials, User, UserStore } from '../user/user.ts'
import { type Passwords, TooManyPasswords } from './password.ts'
import { isRecoveryCode, recoveryHash } from './recovery-codes.ts'
import { totpStep } from './totp.ts'

interface SignInParts {
  users: UserStore
  sessions: SessionStore
  cookieMark: string
  signingKeys: Pick<SigningKeyStore, 'read'>
  audit: AuditLog
  refused: RefusedTries
  budgets: AttemptBudgets
  passwords: Passwords
  clock: Pick<Clock, 'now'>
}

interface Browser {
  address: string
  userAgent: string
  cookie: string | null
  secure: boolean
}

export const browserOf = ({ request: { headers }, address, secure }: Omit<Arrived, 'params'>): Browser => ({
  address,
  userAgent: headers.get('user-agent') ?? '',
  cookie: headers.get('cookie'),
  secure,
})

interface PasswordSignIn extends Browser {
  email: string
  password: string
  code: string
}

/** A session that has begun, with the cookies for its browser. */
interface Begun {
  signedIn: BrowserSession
  cookies: string[]
}

type SignInOutcome =
  | Begun
  /** The answer does not say which of the three was wrong. */
  | { refused: 'wrong' }
  | { refused: 'too_many'; retryAfterSeconds: number }

const userAgentCharactersMax = 200
const busySeconds = 5
/**
 * Wrong codes with the right password, since the last sign-in, after which unknown browsers need a recovery code. Only somebody who
 * has the password gets here, and a million codes are soon tried.
 */
const codeMissesMax = 20

/** Signs in with a password and a one-time code (docs/console.md). */
export async function signInByPassword(parts: SignInParts, given: PasswordSignIn): Promise<SignInOutcome> {
  const email = given.email.trim().toLowerCase()
  const user = await parts.users.findByEmail(email)
  const browserId = user && (await idOfBrowser(parts, user, given))
  const attempt = { address: given.address, email, browserId, isByRecoveryCode: isRecoveryCode(given.code) }
  const retryAfterSeconds = await parts.budgets.take(signInBudgets(attempt))
  if (retryAfterSeconds > 0) return tooMany(parts, given, retryAfterSeconds)
  const credentials = user && (await parts.users.credentials(user.id))
  try {
    const isKnown = browserId !== null
    const proof = await proofByPassword(parts, { user, credentials, given, isKnown })
    if (user !== null && proof === 'right') return await beginSession(parts, user, { ...given, provedBy: 'password' })
    if (user !== null && proof === 'wrong_code' && !isKnown) await parts.users.noteCodeMiss(user.id)
  } catch (error) {
    if (error instanceof TooManyPasswords) return tooMany(parts, given, busySeconds)
    throw error
  }
  await noteRefusal(parts, user, given)
  return { refused: 'wrong' }
}

const idOfBrowser = async (
  { signingKeys, clock, cookieMark }: Pick<SignInParts, 'signingKeys' | 'clock' | 'cookieMark'>,
  { id: userId }: User,
  { cookie, secure }: Browser,
): Promise<string | null> => {
  if (cookie === null) return null
  return knownBrowser(cookie, { keys: await signingKeys.read(), userId, now: clock.now(), secure, cookieMark })
}

interface Claim {
  user: User | null
  credentials: Credentials | null
  given: Pick<PasswordSignIn, 'password' | 'code'>
  isKnown: boolean
}

/**
 * Whether password and code are the user's. A wrong password does not spend a code. Who has no password but passkeys signs in by a
 * recovery code alone when these are lost. @throws TooManyPasswords
 */
export async function proofByPassword(
  { users, passwords, clock }: Pick<SignInParts, 'users' | 'passwords' | 'clock'>,
  { user, credentials, given, isKnown }: Claim,
): Promise<'right' | 'wrong' | 'wrong_code'> {
  const matches = await passwords.verify(given.password, credentials?.passwordHash ?? null, { isKnown })
  if (user === null || credentials === null) return 'wrong'
  const { passwordHash, totpSecret } = credentials
  const isRecovered = async () =>
    isRecoveryCode(given.code) && users.spendRecoveryCode(user.id, recoveryHash(given.code))
  if (passwordHash === null) return (await isRecovered()) ? 'right' : 'wrong'
  if (!matches || totpSecret === null) return 'wrong'
  const step = totpStep(totpSecret, given.code, clock.now())
  const isTried = isKnown || credentials.codeMisses < codeMissesMax
  if (step !== null) return isTried && (await users.spendTotpStep(user.id, step)) ? 'right' : 'wrong_code'
  return (await isRecovered()) ? 'right' : 'wrong_code'
}

/**
 * A new session for an authenticated user. Its secret is new, so that a planted secret is useless, and the session that the browser
 * had ends.
 */
export async function beginSession(
  { users, sessions, signingKeys, audit, clock, cookieMark }: Omit<SignInParts, 'passwords' | 'budgets' | 'refused'>,
  user: User,
  { address, userAgent, cookie, secure, provedBy }: Browser & { provedBy: Proof },
): Promise<Begun> {
  const now = clock.now()
  const secret = newSessionSecret()
  const signedIn: BrowserSession = {
    id: newId(),
    userId: user.id,
    createdAt: now,
    lastUsedAt: now,
    provedAt: now,
    provedBy,
    userAgent: userAgent.slice(0, userAgentCharactersMax),
    address,
  }
  const place = { secure, cookieMark }
  const replaced = sessionSecret(cookie, place)
  const before = replaced === null ? null : await sessions.find(sessionHash(replaced))
  if (before !== null) await sessions.end(before.userId, before.id)
  await sessions.begin(sessionHash(secret), signedIn)
  await users.noteSignIn(user.id, now)
  const actor = { kind: 'user', id: user.id, label: user.email } as const
  const act = { action: 'session.begin', accountId: null, subject: signedIn.id, by: { actor, address } } as const
  await note(act, { audit, clock }, { outcome: 'done' })
  const keys = await signingKeys.read()
  const cookies = [sessionCookie(secret, place), knownBrowserCookie({ keys, userId: user.id, now, ...place })]
  return { signedIn, cookies }
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

/** The longest that browsers keep a cookie (RFC 6265bis section 5.5). Each sign-in begins it anew. */
const knownSeconds = 400 * 86_400
/** 22 of 62 characters are 130 bits. */
const idCharacters = 22
const pattern = `${signingKeyIdPattern}\\.[0-9a-z]{1,9}\\.[A-Za-z0-9]{${idCharacters}}\\.[A-Za-z0-9_-]{${macCharacters}}`

const cookieName = (place: CookiePlace): string => hostCookieName('browser', place)

interface Known extends CookiePlace {
  keys: SigningKeys
  userId: string
  now: number
}

/**
 * The cookie by which a browser is known again as one in which the user has signed in: `KEY.ISSUED.ID.MAC`. The user is in the
 * MAC alone. It signs nobody in: it only gives the browser tries of its own, which strangers cannot use up.
 */
export function knownBrowserCookie({ keys, userId, now, ...place }: Known): string {
  const key = keys.current('browser')
  const [issued, id] = [Math.floor(now / 1000).toString(36), newKeyText(idCharacters)]
  const value = `${key.id}.${issued}.${id}.${sign(key.secret, signedText({ userId, issued, id }))}`
  return setCookie(cookieName(place), value, { maxAgeSeconds: knownSeconds, secure: place.secure })
}

/** The id of a browser in which the user has signed in before; `null`: it is unknown. @param header `Cookie` */
export function knownBrowser(header: string | null, { keys, userId, now, ...place }: Known): string | null {
  const value = cookieValue(header, cookieName(place), pattern)
  const [keyId = '', issued = '', id = '', mac = ''] = value?.split('.') ?? []
  const key = keys.verifying('browser', keyId, { accountId: null, now })
  if (key === null || now >= (Number.parseInt(issued, 36) + knownSeconds) * 1000) return null
  return verifies(key.secret, signedText({ userId, issued, id }), mac) ? id : null
}

const signedText = ({ userId, issued, id }: { userId: string; issued: string; id: string }): string =>
  `browser.1.${userId}.${issued}.${id}`
