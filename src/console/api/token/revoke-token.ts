import { Type } from '@sinclair/typebox'
import { ApiError } from '../api-error.ts'
import { boxEndpoint } from '../endpoint.ts'
import { text } from '../schema.ts'

export const revokeToken = boxEndpoint({
  method: 'DELETE',
  path: '/tokens/:token',
  summary: 'Revoke a token at once',
  scope: 'admin',
  audited: 'token.revoke',
  answer: Type.Object({ id: text, revokedAt: text }),
  async run({ params }, { tokens, clock }) {
    const revoked = await tokens.revoke(params.token ?? '', clock.now())
    if (revoked === null) throw new ApiError('not_found')
    return { value: { id: revoked.id, revokedAt: new Date(revoked.revokedAt ?? 0).toISOString() } }
  },
})
