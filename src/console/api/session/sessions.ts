import { Type } from '@sinclair/typebox'
import { text } from '../../../lib/schema.ts'
import type { Caller, UserCaller } from '../../access/caller.ts'
import { ApiError } from '../api-error.ts'
import { pageOf } from '../cursor.ts'
import { boxEndpoint } from '../endpoint.ts'
import { boxList } from '../list.ts'

/** The caller's own sessions: a token has none. */
export const listSessions = boxList({
  path: '/sessions',
  summary: 'List your sessions',
  scope: 'signed_in',
  item: Type.Object({
    id: text,
    current: Type.Boolean(),
    userAgent: text,
    address: text,
    createdAt: text,
    lastUsedAt: text,
  }),
  columns: ['userAgent', 'address', 'createdAt', 'lastUsedAt'],
  async read({ caller, query }, { sessions }) {
    const user = userOf(caller)
    const all = (await sessions.ofUser(user.userId)).map(({ id, userAgent, address, createdAt, lastUsedAt }) => ({
      id,
      current: id === user.sessionId,
      userAgent,
      address,
      createdAt: new Date(createdAt).toISOString(),
      lastUsedAt: new Date(lastUsedAt).toISOString(),
    }))
    return pageOf(all, query, {
      key: ({ id }) => id,
      isReversed: true,
      texts: ({ userAgent, address }) => [userAgent, address],
    })
  },
})

export const endSession = boxEndpoint({
  method: 'DELETE',
  path: '/sessions/:session',
  summary: 'End one of your sessions',
  scope: 'signed_in',
  asksAgain: true,
  audited: 'session.end',
  answer: Type.Object({ ended: Type.Literal(true) }),
  async run({ caller, params }, { sessions }) {
    const isEnded = await sessions.end(userOf(caller).userId, params.session ?? '')
    if (!isEnded) throw new ApiError('not_found')
    return { value: { ended: true as const } }
  },
})

export const endOtherSessions = boxEndpoint({
  method: 'DELETE',
  path: '/sessions',
  summary: 'End all of your sessions but this one',
  scope: 'signed_in',
  asksAgain: true,
  audited: 'session.end',
  answer: Type.Object({ ended: Type.Integer() }),
  async run({ caller }, { sessions }) {
    const { userId, sessionId } = userOf(caller)
    return { value: { ended: await sessions.endOthers(userId, sessionId) }, subject: 'all others' }
  },
})

function userOf(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller
  throw new ApiError('forbidden', 'A token has no sessions: only users who sign in with a browser have them.')
}
