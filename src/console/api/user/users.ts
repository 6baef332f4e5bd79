import { type Static, Type } from '@sinclair/typebox'
import type { AccountStore } from '../../../account/account-store.ts'
import { closed, oneOf, text, textOrNull } from '../../../lib/schema.ts'
import { accountRoles } from '../../access/role.ts'
import { handlesById } from '../../account-names.ts'
import { userInvited, userRemoved } from '../../audit/changes.ts'
import { inviteUser } from '../../user/invite.ts'
import { removedUserJson, removeUser } from '../../user/remove-user.ts'
import type { Invited } from '../../user/user.ts'
import { userJson } from '../../user/user-json.ts'
import { ApiError } from '../api-error.ts'
import { pageOf } from '../cursor.ts'
import { boxEndpoint } from '../endpoint.ts'
import { boxList } from '../list.ts'
import { ended } from '../token/tokens.ts'

const role = oneOf(accountRoles)

export const listUsers = boxList({
  path: '/users',
  summary: 'List the users of the console',
  scope: 'read',
  item: Type.Object({
    id: text,
    email: text,
    owner: Type.Boolean(),
    roles: Type.Array(Type.Object({ account: text, role, seesPersonalFields: Type.Boolean() })),
    createdAt: text,
    lastSignInAt: textOrNull,
  }),
  columns: [
    'email',
    'owner',
    { header: 'roles', cell: ({ roles }) => roles.map(({ account, role }) => `${account}: ${role}`).join(', ') },
    'createdAt',
    'lastSignInAt',
  ],
  async read({ query }, { users, accounts }) {
    const handleOf = await handlesById(accounts)
    const all = (await users.list()).map((user) => userJson(user, handleOf))
    return pageOf(all, query, { key: ({ email }) => email, texts: ({ email }) => [email] })
  },
})

const invitation = Type.Union([
  closed({ email: text, owner: Type.Literal(true) }),
  closed({ email: text, account: text, role, seesPersonalFields: Type.Optional(Type.Boolean()) }),
])

export const inviteUserEndpoint = boxEndpoint({
  method: 'POST',
  path: '/users/invite',
  summary: 'Invite a user, or give a user access to another account',
  scope: 'admin',
  asksAgain: true,
  audited: 'user.invite',
  body: invitation,
  status: 201,
  answer: Type.Object({ link: text, expiresAt: text }),
  async run({ body, caller }, box) {
    const invited = await invitedTo(body, box.accounts)
    const { path, expiresAt, email } = await inviteUser(box, { email: body.email, invited, by: caller })
    return {
      subject: email,
      change: userInvited(invited),
      value: { link: box.address() + path, expiresAt: new Date(expiresAt).toISOString() },
    }
  },
})

export const signUserOut = boxEndpoint({
  method: 'DELETE',
  path: '/users/:user/sessions',
  summary: 'End all sessions of a user',
  scope: 'admin',
  asksAgain: true,
  audited: 'session.end',
  answer: Type.Object({ ended: Type.Integer() }),
  async run({ params }, box) {
    const user = await box.users.find(params.user ?? '')
    if (user === null) throw new ApiError('not_found')
    return { value: { ended: await box.sessions.endAll(user.id) } }
  },
})

export const removeUserEndpoint = boxEndpoint({
  method: 'DELETE',
  path: '/users/:user',
  summary: 'Remove a user by id or address, with what they made; or withdraw an invitation by its address',
  scope: 'admin',
  asksAgain: true,
  audited: 'user.remove',
  answer: Type.Object({ email: text, removed: Type.Boolean(), ended: Type.Optional(ended) }),
  async run({ params, caller }, box) {
    const removed = await removeUser(box, params.user ?? '', caller)
    return { value: removedUserJson(removed), change: userRemoved(removed) }
  },
})

async function invitedTo(body: Static<typeof invitation>, accounts: Pick<AccountStore, 'find'>): Promise<Invited> {
  if ('owner' in body) return { isOwner: true }
  const { role, seesPersonalFields = false } = body
  const account = await accounts.find(body.account)
  if (account === null) throw new ApiError('not_found')
  return { isOwner: false, accountId: account.id, role, seesPersonalFields }
}
