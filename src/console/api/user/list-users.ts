import { Type } from '@sinclair/typebox'
import { accountRoles } from '../../access/role.ts'
import { handlesById } from '../../account-names.ts'
import { userJson } from '../../user/user-json.ts'
import { pageOf } from '../cursor.ts'
import { boxList } from '../list.ts'
import { oneOf, text, textOrNull } from '../schema.ts'

export const role = oneOf(accountRoles)

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
