import { handlesById } from '../account-names.ts'
import { userJson, userSchema } from '../user/user.ts'
import { inviteUser, removeUser, signUserOut } from '../user/user-acts.ts'
import { actEndpoint } from './endpoint.ts'
import { boxList, pageOf } from './list.ts'

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
    const handleOf = await handlesById(accounts)
    const all = (await users.list()).map((user) => userJson(user, handleOf))
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
