import { Type } from '@sinclair/typebox'
import type { AccountStore } from '../../account/account-store.ts'
import type { Clock } from '../../lib/clock.ts'
import { instant } from '../../lib/instant.ts'
import { NotAllowed, NotThere, OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { closed, count, flag, oneOf, text } from '../../lib/schema.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { type ActInput, type AuditChange, defineAct } from '../../operations/act.ts'
import { accountRoles, type Caller, lastsUntil, makerOf, type UserCaller } from '../access/caller.ts'
import { byOthers, makerGone, mayInvite } from '../access/permission.ts'
import type { SessionStore } from '../session/session.ts'
import { endedJson, endedSchema } from '../token/token-json.ts'
import { type Invited, invitationHash, invitationMs, newInvitationSecret, type User, type UserStore } from './user.ts'

const emailCharactersMax = 254
/** Addresses that every mail system accepts. */
const emailPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** What a new owner, or somebody with a role in an account, is invited by. */
const invitation = Type.Union([
  closed({ email: text, owner: Type.Literal(true) }),
  closed({ email: text, account: text, role: oneOf(accountRoles) }),
])

export const invitationSchema = Type.Object({ link: text, expiresAt: text })

export type WantedInvitation = ActInput<'box', typeof invitation>

export interface InvitingBox {
  accounts: Pick<AccountStore, 'find' | 'list'>
  users: UserStore
  clock: Pick<Clock, 'now'>
  /** The start of the console's addresses. */
  address(): string
}

/**
 * Makes the link that makes the user. It works once, within 24 hours, and no longer than the token that makes it. A token gives no more
 * than it has.
 */
export const inviteUser = defineAct({
  name: 'user.invite',
  text: 'Invite a user, or give a user access to another account',
  of: 'box',
  scope: 'admin',
  asksAgain: true,
  input: invitation,
  answer: invitationSchema,
  subject: () => '',
  async run(box: InvitingBox, asked, { caller }: { caller: Caller | null }) {
    const invited = await invitedTo(asked, box)
    return invite(box, { email: asked.email, invited }, caller)
  },
})

async function invitedTo(asked: WantedInvitation, { accounts }: Pick<InvitingBox, 'accounts'>): Promise<Invited> {
  if ('owner' in asked) return { isOwner: true }
  return { isOwner: false, accountId: (await accountNamed(accounts, asked.account)).id, role: asked.role }
}

/** @throws NotAllowed, OperatorError */
export async function invite(box: InvitingBox, asked: { email: string; invited: Invited }, caller: Caller | null) {
  const { invited } = asked
  const email = asked.email.trim().toLowerCase()
  if (email.length > emailCharactersMax || !emailPattern.test(email)) {
    throw new UnfitInput('This is not an email address. Write it as name@example.com.')
  }
  const base = box.address()
  const secret = newInvitationSecret()
  const at = box.clock.now()
  const expiresAt = Math.min(at + invitationMs, lastsUntil(caller))
  mayInvite(caller, invited, expiresAt)
  const made = { ...makerOf(caller), at }
  const isMade = await box.users.invite(invitationHash(secret), { email, invited, expiresAt }, made)
  if (!isMade) throw new NotAllowed(makerGone)
  const path = `/invitation/${secret}`
  return {
    answer: { link: base + path, expiresAt: instant(expiresAt) },
    subject: email,
    ...(!invited.isOwner && { accountId: invited.accountId }),
    change: accessGiven(invited),
    path,
  }
}

export const accessGiven = (invited: Invited): AuditChange => ({
  before: null,
  after: { role: invited.isOwner ? 'owner' : invited.role },
})

const userWanted = Type.Object({ user: text })
type UsersBox = { users: UserStore; clock: Pick<Clock, 'now'> }

/** Removes a user, or withdraws the invitations of an address that is no user's. A token removes no owner. */
export const removeUser = defineAct({
  name: 'user.remove',
  text: 'Remove a user by id or address, with what they made; or withdraw an invitation by its address',
  of: 'box',
  scope: 'admin',
  asksAgain: true,
  input: userWanted,
  answer: Type.Object({ email: text, removed: flag, ended: Type.Optional(endedSchema) }),
  subject: ({ user }) => user,
  async run({ users, clock }: UsersBox, { user: named }, { caller }: { caller: Caller | null }) {
    const user = await userNamed(users, named)
    if (user === null) {
      const email = named.trim().toLowerCase()
      if ((await users.withdraw(email)) === 0)
        throw new NotThere('Nobody with this address is a user or invited. `capture user list` shows the users.')
      return { answer: { email, removed: true }, change: removed({ email, invited: true }), user }
    }
    if (user.isOwner && caller?.kind === 'token') throw new NotAllowed(`A token cannot remove owners. ${byOthers}`)
    const outcome = await users.remove(user.id, clock.now())
    if (outcome === 'unknown') throw new NotThere('Somebody else has removed this user meanwhile.')
    if (outcome === 'last_owner')
      throw new OperatorError(
        'That is the last owner, without whom nobody could invite anybody. Invite another one first.',
      )
    const { email, isOwner, roles } = user
    const ended = endedJson(outcome)
    const change = removed({ email, owner: isOwner, accounts: roles.size, ...ended })
    return { answer: { email, removed: true, ended }, change, user }
  },
})

export const removed = (before: NonNullable<AuditChange['before']>): AuditChange => ({ before, after: null })

const ending = { name: 'session.end', of: 'box', asksAgain: true } as const

type SessionsBox = { users: UserStore; sessions: SessionStore }

/** Ends all sessions of a user, who can sign in again. */
export const signUserOut = defineAct({
  ...ending,
  text: 'End all sessions of a user',
  scope: 'admin',
  input: userWanted,
  answer: Type.Object({ ended: count }),
  subject: ({ user }) => user,
  async run({ users, sessions }: SessionsBox, { user: named }) {
    const user = await userNamed(users, named)
    if (user === null) throw new NotThere('Nobody with this address is a user. `capture user list` shows the users.')
    return { answer: { ended: await sessions.endAll(user.id) }, subject: user.email }
  },
})

export const endOwnSession = defineAct({
  ...ending,
  text: 'End one of your sessions',
  scope: 'signed_in',
  input: Type.Object({ session: text }),
  answer: Type.Object({ ended: Type.Literal(true) }),
  subject: ({ session }) => session,
  async run({ sessions }: Pick<SessionsBox, 'sessions'>, { session }, { caller }: { caller: Caller }) {
    if (!(await sessions.end(userOf(caller).userId, session))) throw new NotThere('There is no such session.')
    return { answer: { ended: true as const } }
  },
})

export const endOtherSessions = defineAct({
  ...ending,
  text: 'End all of your sessions but this one',
  scope: 'signed_in',
  input: Type.Object({}),
  answer: Type.Object({ ended: count }),
  subject: () => 'all others',
  async run({ sessions }: Pick<SessionsBox, 'sessions'>, _, { caller }: { caller: Caller }) {
    const { userId, sessionId } = userOf(caller)
    return { answer: { ended: await sessions.endOthers(userId, sessionId) } }
  },
})

/** @throws NotAllowed for a token */
export function userOf(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller
  throw new NotAllowed('A token has no sessions: only users who sign in with a browser have them.')
}

/** By address or id. */
export async function userNamed(users: UserStore, named: string): Promise<User | null> {
  const text = named.trim().toLowerCase()
  return (await users.findByEmail(text)) ?? (await users.find(text))
}
