import { Type } from '@sinclair/typebox'
import { rotatedPurposes } from '../../account/signing-key.ts'
import { textOrNull } from '../../lib/schema.ts'
import { listTrackingKeys, revokeKeys, rotateKey, rotateSecret } from '../../operations/key/keys.ts'
import { ApiError } from './api-error.ts'
import { actEndpoint } from './endpoint.ts'
import { accountList, pageOf } from './list.ts'

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

export const rotateKeyEndpoint = actEndpoint(rotateKey, {
  method: 'POST',
  path: '/accounts/:account/keys/rotate',
  sends: 'query',
})

export const revokeKeysEndpoint = actEndpoint(revokeKeys, { method: 'POST', path: '/accounts/:account/keys/revoke' })

export const rotateSecretEndpoint = actEndpoint(rotateSecret, {
  method: 'POST',
  path: '/secrets/:purpose/rotate',
  input({ params }) {
    if (rotatedPurposes.some((name) => name === params.purpose)) return {}
    throw new ApiError('not_found')
  },
})
