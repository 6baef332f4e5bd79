import { Type } from '@sinclair/typebox'
import { parseInstant } from '../../lib/age.ts'
import { count, orNull, text } from '../../lib/schema.ts'
import { type AdvisedRefusal, readRefusals, refusalsJson } from '../../operations/refusals/read-refusals.ts'
import { ApiError } from './api-error.ts'
import { accountList, pageOf } from './list.ts'

export const listRefusals = accountList({
  path: '/accounts/:account/refusals',
  summary: 'List the reasons for refused requests, with advice',
  scope: 'read',
  query: Type.Object({
    since: Type.String({ default: '1d', maxLength: 40, description: 'an ISO 8601 time, or an age such as 7d' }),
  }),
  item: Type.Object({
    endpoint: text,
    check: text,
    origin: orNull(Type.String({ description: '*: origins beyond the first fifty' })),
    count,
    advice: text,
  }),
  beside: Type.Object({
    account: text,
    since: text,
    missing: Type.Array(Type.Object({ path: text, count })),
    untrustedProxy: orNull(Type.Object({ peer: text, seenAt: text, advice: text })),
  }),
  columns: ['endpoint', 'check', 'origin', 'count', 'advice'],
  async read({ account, query }, box) {
    const at = instantOf(query.since, box.clock.now())
    const { refusals, ...rest } = refusalsJson(await readRefusals(box, { account: account.handle, since: { at } }))
    const page = pageOf(inOrder(refusals), query, { key: keyOf, texts: (row) => Object.values(row).map(String) })
    return { ...rest, ...page }
  },
})

/** @throws ApiError `invalid` */
function instantOf(since: string, now: number): number {
  const at = parseInstant(since, now)
  if (at !== null && at <= now) return at
  throw new ApiError('invalid', 'The parameter "since" takes an ISO 8601 time in the past, or an age such as 7d.')
}

/** Ordered by names, because counts grow while a list is read. */
const inOrder = (refusals: readonly AdvisedRefusal[]): AdvisedRefusal[] =>
  refusals.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

const keyOf = ({ endpoint, check, origin }: AdvisedRefusal): string => `${endpoint} ${check} ${origin ?? ''}`
