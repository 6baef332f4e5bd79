import { accountNames } from '../../operations/account/account-names.ts'
import { changeRole, inviteColleague, removeColleague, showPersonal } from '../user/colleague-acts.ts'
import { colleagueSchema, colleaguesIn, userJson, userSchema } from '../user/user.ts'
import { inviteUser, removeUser, signUserOut } from '../user/user-acts.ts'
import { actEndpoint } from './endpoint.ts'
import { accountList, boxList, pageOf } from './list.ts'

export const listUsers = boxList({
  path: '/users',
  summary: 'List the users of the console',
  scope: 'read',
  item: userSchema,
  columns: [
    'email',
    'owner',
    { header: 'roles', cell: ({ roles }) => roles.map(({ account, role }) => `${account}: ${role}`).join(', ') },
    'createdAt',
    'lastSignInAt',
  ],
  async read({ query }, { users, accounts }) {
    const { handleById } = accountNames(await accounts.list())
    const all = (await users.list()).map((user) => userJson(user, handleById))
    return pageOf(all, query, { key: ({ email }) => email, texts: ({ email }) => [email] })
  },
})

export const inviteUserEndpoint = actEndpoint(inviteUser, {
  method: 'POST',
  path: '/users/invite',
  sends: 'body',
  status: 201,
})

export const signUserOutEndpoint = actEndpoint(signUserOut, { method: 'DELETE', path: '/users/:user/sessions' })

export const removeUserEndpoint = actEndpoint(removeUser, { method: 'DELETE', path: '/users/:user' })

const ofAccount = '/accounts/:account/users'

export const listColleagues = accountList({
  path: ofAccount,
  summary: 'List the users who have access to an account, without owners of the box',
  scope: 'admin',
  item: colleagueSchema,
  columns: ['email', 'role', 'lastSignInAt'],
  read: async ({ account, query }, { users }) =>
    pageOf(colleaguesIn(await users.list(), account.id), query, {
      key: ({ email }) => email,
      texts: ({ email, role }) => [email, role],
    }),
})

export const inviteColleagueEndpoint = actEndpoint(inviteColleague, {
  method: 'POST',
  path: `${ofAccount}/invite`,
  sends: 'body',
  status: 201,
})

export const changeRoleEndpoint = actEndpoint(changeRole, { method: 'PUT', path: `${ofAccount}/:user`, sends: 'body' })

export const removeColleagueEndpoint = actEndpoint(removeColleague, { method: 'DELETE', path: `${ofAccount}/:user` })

export const showPersonalEndpoint = actEndpoint(showPersonal, {
  method: 'PUT',
  path: '/accounts/:account/show-personal',
  sends: 'body',
})
