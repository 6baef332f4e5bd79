import { type Static, Type } from '@sinclair/typebox'
import { NotAllowed, NotThere, OperatorError } from '../../lib/operator-error.ts'
import { flag, oneOf, text } from '../../lib/schema.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { defineAct } from '../../operations/act.ts'
import { accountRoles, type Caller, makerOf } from '../access/caller.ts'
import { isOfBox, makerGone, mayGiveRole } from '../access/permission.ts'
import type { EndedWithMaker } from '../token/api-token.ts'
import { endedJson, endedSchema } from '../token/token-json.ts'
import type { PlaceInAccount, User } from './user.ts'
import { type InvitingBox, invitationSchema, invite, removed, userNamed } from './user-acts.ts'

/**
 * What admins of an account do with its users. They may give each role, as none in an account is above theirs; what a token gives is
 * held to its scopes (`mayGiveRole`).
 */
const managing = { of: 'account', scope: 'admin', asksAgain: true } as const

type By = { caller: Caller | null }

export const inviteColleague = defineAct({
  ...managing,
  name: 'user.invite',
  text: 'Invite a user to the account',
  input: Type.Object({ email: text, role: oneOf(accountRoles) }),
  answer: invitationSchema,
  subject: () => '',
  async run(box: InvitingBox, { account, email, role }, { caller }: By) {
    const { id: accountId } = await accountNamed(box.accounts, account)
    return invite(box, { email, invited: { isOwner: false, accountId, role } }, caller)
  },
})

type ManagingBox = Pick<InvitingBox, 'accounts' | 'users' | 'clock'>

const ofUser = ({ user }: { user: string }): string => user

/** Holds from the user's next request on. */
export const changeRole = defineAct({
  ...managing,
  name: 'user.role',
  text: 'Give a user of the account another role',
  input: Type.Object({ user: text, role: oneOf(accountRoles) }),
  answer: Type.Object({ email: text, role: oneOf(accountRoles) }),
  subject: ofUser,
  async run(box: ManagingBox, { account, user: named, role }, { caller }: By) {
    const { user, place } = await meant(box, { account, named }, caller)
    mayGiveRole(caller, { role, accountId: place.accountId })
    const before = user === null ? 'unknown' : await box.users.setRole(user.id, role, place)
    if (before === 'maker_gone') throw new NotAllowed(makerGone)
    if (before === 'unknown' || user === null) throw nobody()
    if (before === 'last_admin') throw lastAdmin()
    return {
      answer: { email: user.email, role },
      subject: user.email,
      change: { before: { role: before }, after: { role } },
    }
  },
})

const leftSchema = Type.Object({ email: text, removed: flag, ended: Type.Optional(endedSchema) })

const leftJson = (email: string, ended: EndedWithMaker | null): Static<typeof leftSchema> => ({
  email,
  removed: true,
  ...(ended && { ended: endedJson(ended) }),
})

/** Ends the user's access to the account. Whoever has no other is removed. An invitation to it is withdrawn. */
export const removeColleague = defineAct({
  ...managing,
  name: 'user.remove',
  text: 'Take away a user’s access to the account',
  input: Type.Object({ user: text }),
  answer: leftSchema,
  subject: ofUser,
  async run(box: ManagingBox, { account, user: named }, { caller }: By) {
    const { user, place } = await meant(box, { account, named }, caller)
    const left = user === null ? 'unknown' : await box.users.leave(user.id, place)
    if (left === 'maker_gone') throw new NotAllowed(makerGone)
    if (left === 'last_admin') throw lastAdmin()
    if (left === 'unknown' || user === null) {
      const email = named.trim().toLowerCase()
      if ((await box.users.withdraw(email, place.accountId)) === 0) throw nobody()
      return { answer: leftJson(email, null), change: removed({ email, invited: true }), user: null }
    }
    const { email } = user
    const answer = leftJson(email, left.ended)
    return { answer, subject: email, change: removed({ email, role: left.role, ...answer.ended }), user }
  },
})

async function meant(
  { accounts, users, clock }: ManagingBox,
  { account, named }: { account: string; named: string },
  caller: Caller | null,
): Promise<{ user: User | null; place: PlaceInAccount }> {
  const { id: accountId } = await accountNamed(accounts, account)
  const keepsAdmin = caller !== null && !isOfBox(caller)
  const place = { accountId, at: clock.now(), by: makerOf(caller), keepsAdmin }
  return { user: await userNamed(users, named), place }
}

const nobody = (): NotThere =>
  new NotThere(
    'Nobody with this address has access to this account or is invited to it. `capture user list` shows the users.',
  )

const lastAdmin = (): OperatorError =>
  new OperatorError(
    'The account would have no admin left. Make somebody else an admin first, or ask an owner of the box.',
  )

/** Holds from the next request of each client on. */
export const showPersonal = defineAct({
  of: 'account',
  scope: 'admin',
  asksAgain: true,
  name: 'account.show-personal',
  text: 'Show or mask personal fields of submissions to clients of the account',
  input: Type.Object({ show: flag }),
  answer: Type.Object({ account: text, shown: flag }),
  async run({ accounts, users }: Pick<InvitingBox, 'accounts' | 'users'>, { account: handle, show }) {
    const { id } = await accountNamed(accounts, handle)
    const before = await users.showsPersonal(id)
    await users.showPersonal(id, show)
    return { answer: { account: handle, shown: show }, change: { before: { shown: before }, after: { shown: show } } }
  },
})
