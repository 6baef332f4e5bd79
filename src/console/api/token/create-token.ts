import { Type } from '@sinclair/typebox'
import { tokenCreated } from '../../audit/changes.ts'
import { createToken } from '../../token/create-token.ts'
import { ApiError } from '../api-error.ts'
import { boxEndpoint } from '../endpoint.ts'
import { closed, text } from '../schema.ts'

export const createTokenEndpoint = boxEndpoint({
  method: 'POST',
  path: '/tokens',
  summary: 'Make a token and show it once',
  scope: 'admin',
  asksAgain: true,
  audited: 'token.create',
  body: closed({
    name: text,
    account: Type.Optional(Type.String({ description: 'absent: valid for every account and for the box' })),
    scopes: Type.Array(text, { minItems: 1 }),
    expiresInDays: Type.Integer({ minimum: 1, maximum: 3650 }),
  }),
  status: 201,
  answer: Type.Object({ id: text, token: text, expiresAt: text }),
  async run({ body: { name, account: handle, scopes, expiresInDays } }, box) {
    const account = handle === undefined ? null : await box.accounts.find(handle)
    if (handle !== undefined && account === null) throw new ApiError('not_found')
    const wanted = { name, scopes, accountId: account?.id ?? null, lifeMs: expiresInDays * 86_400_000 }
    const { token, stored } = await createToken(box, wanted)
    return {
      value: { id: stored.id, token, expiresAt: new Date(stored.expiresAt).toISOString() },
      subject: stored.id,
      change: tokenCreated(stored),
    }
  },
})
