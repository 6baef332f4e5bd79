import { type Static, Type } from '@sinclair/typebox'
import type { AccountStore } from '../../../account/account-store.ts'
import { userInvited } from '../../audit/changes.ts'
import { inviteUser } from '../../user/invite.ts'
import type { Invited } from '../../user/user.ts'
import { ApiError } from '../api-error.ts'
import { boxEndpoint } from '../endpoint.ts'
import { closed, text } from '../schema.ts'
import { role } from './list-users.ts'

const invitation = Type.Union([
  closed({ email: text, owner: Type.Literal(true) }),
  closed({ email: text, account: text, role, seesPersonalFields: Type.Optional(Type.Boolean()) }),
])

export const inviteUserEndpoint = boxEndpoint({
  method: 'POST',
  path: '/users/invite',
  summary: 'Invite a user, or give a user access to another account',
  scope: 'admin',
  asksAgain: true,
  audited: 'user.invite',
  body: invitation,
  status: 201,
  answer: Type.Object({ link: text, expiresAt: text }),
  async run({ body }, box) {
    const invited = await invitedTo(body, box.accounts)
    const { path, expiresAt, email } = await inviteUser(box, { email: body.email, invited })
    return {
      subject: email,
      change: userInvited(invited),
      value: { link: box.address() + path, expiresAt: new Date(expiresAt).toISOString() },
    }
  },
})

async function invitedTo(body: Static<typeof invitation>, accounts: Pick<AccountStore, 'find'>): Promise<Invited> {
  if ('owner' in body) return { isOwner: true }
  const { role, seesPersonalFields = false } = body
  const account = await accounts.find(body.account)
  if (account === null) throw new ApiError('not_found')
  return { isOwner: false, accountId: account.id, role, seesPersonalFields }
}
