import { accountRoles } from '../../console/access/role.ts'
import type { WantedInvitation } from '../../console/user/user-acts.ts'
import { defineCommand, usageError } from '../command.ts'

export const userInvite = defineCommand({
  name: 'user invite',
  summary: 'Prints a link with which somebody becomes a user of the console',
  details: `The link works once, for 24 hours. --owner: an owner of the box, who may do everything. Otherwise --account and --role:
admin, editor (publishes, releases), viewer (reads, exports) or client (figures, and submissions with personal fields
masked). An existing user signs in to accept it.
--json prints { "link", "email", "expiresAt" }.`,
  args: { email: { summary: 'their email address' } },
  options: {
    owner: { summary: 'an owner of the box' },
    account: { value: 'ACCOUNT', summary: 'the account they work on' },
    role: { value: 'ROLE', summary: `their role in it: ${accountRoles.join(', ')}` },
  },
  async run({ args, options, json }, session) {
    const asked = invitationOf(args.email, options)
    const { inviteUser } = await import('../../console/user/user-acts.ts')
    const { answer } = await session.act(inviteUser, asked)
    const { link, expiresAt } = answer
    const notes = json ? [] : ['The link works once, for 24 hours. Send it to them, or open it yourself.']
    return { json: { link, email: args.email, expiresAt }, text: link, notes }
  },
})

interface RoleOptions {
  owner: boolean
  account: string | undefined
  role: string | undefined
}

function invitationOf(email: string, { owner, account, role }: RoleOptions): WantedInvitation {
  if (owner && account === undefined && role === undefined) return { email, owner }
  const known = accountRoles.find((name) => name === role)
  if (!owner && account !== undefined && known !== undefined) return { email, account, role: known }
  throw usageError(`Say what they will be: --owner, or --account ACCOUNT --role ${accountRoles.join('|')}.`)
}
