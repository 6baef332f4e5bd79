import { Type } from '@sinclair/typebox'
import { rotatedPurposes } from '../../../account/signing-key.ts'
import { parseAge } from '../../../lib/age.ts'
import { count, oneOf, text, textOrNull } from '../../../lib/schema.ts'
import { rotatedSecretJson, rotateSecret } from '../../../operations/key/rotate-secret.ts'
import {
  listTrackingKeys,
  overlapMsMax,
  revokeTrackingKeys,
  rotatedKeyJson,
  rotateTrackingKey,
} from '../../../operations/key/tracking-keys.ts'
import { publisherOf } from '../../publisher.ts'
import { ApiError } from '../api-error.ts'
import { pageOf } from '../cursor.ts'
import { accountEndpoint, boxEndpoint } from '../endpoint.ts'
import { accountList } from '../list.ts'

export const listKeys = accountList({
  path: '/accounts/:account/keys',
  summary: 'List the fingerprints of valid tracking keys',
  scope: 'read',
  item: Type.Object({
    fingerprint: Type.String({ description: 'the first 12 digits of the key’s SHA-256 in hex' }),
    validUntil: textOrNull,
  }),
  columns: ['fingerprint', 'validUntil'],
  async read({ account, query }, box) {
    const key = ({ fingerprint }: { fingerprint: string }) => fingerprint
    const all = (await listTrackingKeys(box, account.handle)).sort((one, other) => (key(one) < key(other) ? -1 : 1))
    return pageOf(all, query, { key, texts: (item) => [key(item)] })
  },
})

export const rotateKey = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/keys/rotate',
  summary: 'Make a new tracking key and show it once',
  scope: 'admin',
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
  answer: Type.Object({ account: text, trackingKey: text, oldKeysValidUntil: textOrNull, siteToml: text }),
  async run({ account, caller, query: { overlap } }, box) {
    const overlapMs = overlap === undefined ? null : overlapIn(overlap)
    const wanted = { account: account.handle, overlapMs, by: publisherOf(caller) }
    return { value: rotatedKeyJson(await rotateTrackingKey(box, wanted)) }
  },
})

/** @throws ApiError `invalid` */
function overlapIn(text: string): number {
  const ms = parseAge(text)
  if (ms !== null && ms <= overlapMsMax) return ms
  throw new ApiError('invalid', 'The parameter "overlap" takes an age of at most a year, such as 7d.')
}

export const revokeKeys = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/keys/revoke',
  summary: 'Revoke all tracking keys; events are refused until there is a new key',
  scope: 'admin',
  asksAgain: true,
  audited: 'key.revoke',
  answer: Type.Object({ account: text, revoked: count }),
  run: async ({ account, caller }, box) => ({
    value: await revokeTrackingKeys(box, { account: account.handle, by: publisherOf(caller) }),
  }),
})

export const rotateSecretEndpoint = boxEndpoint({
  method: 'POST',
  path: '/secrets/:purpose/rotate',
  summary:
    'Make a new key that signs click links (click), identity cookies (cookie), preview addresses (preview) or shared reports (share)',
  scope: 'admin',
  asksAgain: true,
  audited: 'secret.rotate',
  answer: Type.Object({ purpose: oneOf(rotatedPurposes), keyId: text, oldKeysVerifyUntil: textOrNull }),
  async run({ params }, box) {
    const purpose = rotatedPurposes.find((name) => name === params.purpose)
    if (purpose === undefined) throw new ApiError('not_found')
    return { value: rotatedSecretJson(purpose, await rotateSecret(box, purpose)) }
  },
})
