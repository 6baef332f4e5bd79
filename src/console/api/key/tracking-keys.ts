import { Type } from '@sinclair/typebox'
import { parseAge } from '../../../lib/age.ts'
import { listTrackingKeys } from '../../../operations/key/list-tracking-keys.ts'
import { revokeTrackingKeys } from '../../../operations/key/revoke-tracking-keys.ts'
import { overlapMsMax, rotatedKeyJson, rotateTrackingKey } from '../../../operations/key/rotate-tracking-key.ts'
import { publisherOf } from '../../publisher.ts'
import { ApiError } from '../api-error.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { orNull } from '../or-null.ts'

export const listKeys = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/keys',
  summary: 'List the fingerprints of valid tracking keys',
  scope: 'read',
  clients: 'nothing',
  query: listQuery,
  answer: listOf(
    Type.Object({
      fingerprint: Type.String({ description: 'the first 12 digits of the key’s SHA-256 in hex' }),
      validUntil: orNull(Type.String()),
    }),
  ),
  async run({ account, query, request }, box) {
    const all = (await listTrackingKeys(box, account.handle)).sort((one, other) =>
      one.fingerprint < other.fingerprint ? -1 : 1,
    )
    const page = pageOf(all, query, {
      key: ({ fingerprint }) => fingerprint,
      texts: ({ fingerprint }) => [fingerprint],
    })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'fingerprint', cell: ({ fingerprint }) => fingerprint },
      { header: 'validUntil', cell: ({ validUntil }) => validUntil ?? '' },
    ])
  },
})

export const rotateKey = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/keys/rotate',
  summary: 'Make a new tracking key and show it once',
  scope: 'admin',
  clients: 'nothing',
  asksAgain: true,
  audited: 'key.rotate',
  query: Type.Object({
    overlap: Type.Optional(
      Type.String({
        maxLength: 10,
        description: 'how long earlier keys stay valid, such as 7d; absent: not at all',
      }),
    ),
  }),
  answer: Type.Object({
    account: Type.String(),
    trackingKey: Type.String(),
    oldKeysValidUntil: orNull(Type.String()),
    siteToml: Type.String(),
  }),
  async run({ account, caller, query: { overlap } }, box) {
    const overlapMs = overlap === undefined ? null : overlapIn(overlap)
    const wanted = { account: account.handle, overlapMs, by: publisherOf(caller) }
    return { value: rotatedKeyJson(await rotateTrackingKey(box, wanted)) }
  },
})

export const revokeKeys = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/keys/revoke',
  summary: 'Revoke all tracking keys; events are refused until there is a new key',
  scope: 'admin',
  clients: 'nothing',
  asksAgain: true,
  audited: 'key.revoke',
  answer: Type.Object({ account: Type.String(), revoked: Type.Integer() }),
  run: async ({ account, caller }, box) => ({
    value: await revokeTrackingKeys(box, { account: account.handle, by: publisherOf(caller) }),
  }),
})

/** @throws ApiError `invalid` */
function overlapIn(text: string): number {
  const ms = parseAge(text)
  if (ms !== null && ms <= overlapMsMax) return ms
  throw new ApiError('invalid', 'The parameter "overlap" takes an age of at most a year, such as 7d.')
}
