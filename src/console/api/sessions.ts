import { Type } from '@sinclair/typebox'
import { text } from '../../lib/schema.ts'
import { endOtherSessions, endOwnSession, userOf } from '../user/user-acts.ts'
import { actEndpoint } from './endpoint.ts'
import { boxList, pageOf } from './list.ts'

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

export const endSessionEndpoint = actEndpoint(endOwnSession, { method: 'DELETE', path: '/sessions/:session' })

export const endOtherSessionsEndpoint = actEndpoint(endOtherSessions, { method: 'DELETE', path: '/sessions' })
