import { Type } from '@sinclair/typebox'
import { parseInstant } from '../../../lib/age.ts'
import { type AdvisedRefusal, readRefusals } from '../../../operations/refusals/read-refusals.ts'
import { refusalsJson } from '../../../operations/refusals/refusals-json.ts'
import { ApiError } from '../api-error.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { orNull } from '../or-null.ts'

export const listRefusals = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/refusals',
  summary: 'List the reasons for refused requests, with advice',
  scope: 'read',
  clients: 'nothing',
  query: Type.Composite([
    listQuery,
    Type.Object({
      since: Type.String({ default: '1d', maxLength: 40, description: 'an ISO 8601 time, or an age such as 7d' }),
    }),
  ]),
  answer: Type.Composite([
    Type.Object({ account: Type.String(), since: Type.String() }),
    listOf(
      Type.Object({
        endpoint: Type.String(),
        check: Type.String(),
        origin: orNull(Type.String({ description: '*: origins beyond the first fifty' })),
        count: Type.Integer(),
        advice: Type.String(),
      }),
    ),
    Type.Object({
      untrustedProxy: orNull(Type.Object({ peer: Type.String(), seenAt: Type.String(), advice: Type.String() })),
    }),
  ]),
  async run({ account, query, request }, box) {
    const at = instantOf(query.since, box.clock.now())
    const { refusals, ...rest } = refusalsJson(await readRefusals(box, { account: account.handle, since: { at } }))
    const page = pageOf(inOrder(refusals), query, { key: keyOf, texts: (row) => Object.values(row).map(String) })
    const answer = listAnswer(page, { query, url: request.url }, [
      { header: 'endpoint', cell: ({ endpoint }) => endpoint },
      { header: 'check', cell: ({ check }) => check },
      { header: 'origin', cell: ({ origin }) => origin ?? '' },
      { header: 'count', cell: ({ count }) => String(count) },
      { header: 'advice', cell: ({ advice }) => advice },
    ])
    return answer instanceof Response ? answer : { value: { ...rest, ...answer.value } }
  },
})

/** @throws ApiError `invalid` */
export function instantOf(since: string, now: number): number {
  const at = parseInstant(since, now)
  if (at !== null && at <= now) return at
  throw new ApiError('invalid', 'The parameter "since" takes an ISO 8601 time in the past, or an age such as 7d.')
}

/** Ordered by names, because counts grow while a list is read. */
const inOrder = (refusals: readonly AdvisedRefusal[]): AdvisedRefusal[] =>
  refusals.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

const keyOf = ({ endpoint, check, origin }: AdvisedRefusal): string => `${endpoint} ${check} ${origin ?? ''}`
