import { Type } from '@sinclair/typebox'
import { tokenCreated } from '../../audit/changes.ts'
import { createToken } from '../../token/create-token.ts'
import { ApiError } from '../api-error.ts'
import { boxEndpoint } from '../endpoint.ts'

export const createTokenEndpoint = boxEndpoint({
  method: 'POST',
  path: '/tokens',
  summary: 'Make a token and show it once',
  scope: 'admin',
  asksAgain: true,
  audited: 'token.create',
  body: Type.Object(
    {
      name: Type.String(),
      account: Type.Optional(Type.String({ description: 'absent: valid for every account and for the box' })),
      scopes: Type.Array(Type.String(), { minItems: 1 }),
      expiresInDays: Type.Integer({ minimum: 1, maximum: 3650 }),
    },
    { additionalProperties: false },
  ),
  status: 201,
  answer: Type.Object({ id: Type.String(), token: Type.String(), expiresAt: Type.String() }),
  async run({ body }, box) {
    const account = body.account === undefined ? null : await box.accounts.find(body.account)
    if (body.account !== undefined && account === null) throw new ApiError('not_found')
    const wanted = {
      name: body.name,
      scopes: body.scopes,
      accountId: account?.id ?? null,
      lifeMs: body.expiresInDays * 86_400_000,
    }
    const { token, stored } = await createToken(box, wanted)
    return {
      value: { id: stored.id, token, expiresAt: new Date(stored.expiresAt).toISOString() },
      subject: stored.id,
      change: tokenCreated(stored),
    }
  },
})
