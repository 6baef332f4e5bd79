import { handlesById } from '../../account-names.ts'
import { userJson } from '../../user/user-json.ts'
import { boxEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { userSchema } from './user-schema.ts'

export const listUsers = boxEndpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the users of the console',
  scope: 'read',
  query: listQuery,
  answer: listOf(userSchema),
  async run({ query, request }, { users, accounts }) {
    const handleOf = await handlesById(accounts)
    const all = (await users.list()).map((user) => userJson(user, handleOf))
    const page = pageOf(all, query, { key: ({ email }) => email, texts: ({ email }) => [email] })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'email', cell: ({ email }) => email },
      { header: 'owner', cell: ({ owner }) => String(owner) },
      { header: 'roles', cell: ({ roles }) => roles.map(({ account, role }) => `${account}: ${role}`).join(', ') },
      { header: 'createdAt', cell: ({ createdAt }) => createdAt },
      { header: 'lastSignInAt', cell: ({ lastSignInAt }) => lastSignInAt ?? '' },
    ])
  },
})
