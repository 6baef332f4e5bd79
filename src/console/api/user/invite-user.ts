import { Type } from '@sinclair/typebox'
import { userInvited } from '../../audit/changes.ts'
import { inviteUser } from '../../user/invite.ts'
import type { Invited } from '../../user/user.ts'
import { ApiError } from '../api-error.ts'
import { boxEndpoint } from '../endpoint.ts'
import { roleSchema } from './user-schema.ts'

export const inviteUserEndpoint = boxEndpoint({
  method: 'POST',
  path: '/users/invite',
  summary: 'Invite a user, or give a user access to another account',
  scope: 'admin',
  asksAgain: true,
  audited: 'user.invite',
  body: Type.Union([
    Type.Object({ email: Type.String(), owner: Type.Literal(true) }, { additionalProperties: false }),
    Type.Object(
      {
        email: Type.String(),
        account: Type.String(),
        role: roleSchema,
        seesPersonalFields: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
  ]),
  status: 201,
  answer: Type.Object({ link: Type.String(), expiresAt: Type.String() }),
  async run({ body }, box) {
    const invited = await invitedTo(body, box)
    const { path, expiresAt, email } = await inviteUser(box, { email: body.email, invited })
    return {
      subject: email,
      change: userInvited(invited),
      value: { link: box.address() + path, expiresAt: new Date(expiresAt).toISOString() },
    }
  },
})

type Body =
  | { owner: true }
  | { account: string; role: Extract<Invited, { isOwner: false }>['role']; seesPersonalFields?: boolean }

async function invitedTo(
  body: Body,
  { accounts }: { accounts: { find(handle: string): Promise<{ id: string } | null> } },
): Promise<Invited> {
  if ('owner' in body) return { isOwner: true }
  const account = await accounts.find(body.account)
  if (account === null) throw new ApiError('not_found')
  return {
    isOwner: false,
    accountId: account.id,
    role: body.role,
    seesPersonalFields: body.seesPersonalFields ?? false,
  }
}
