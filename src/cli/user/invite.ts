import { accountRoles } from '../../console/access/role.ts'
import type { Invited } from '../../console/user/user.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'
import { consoleBase } from '../console/console-base.ts'

export const userInvite = defineCommand({
  name: 'user invite',
  summary: 'Prints a link with which somebody becomes a user of the console',
  details: `The link works once, for 24 hours. --owner: an owner of the box, who may do everything. Otherwise --account and --role:
admin, editor (publishes, releases), viewer (reads, exports) or client (figures, and submissions with personal fields
masked). Somebody who is a user signs in to accept it, and gets another role.
--json prints { "link", "email", "expiresAt" }.`,
  args: { email: { summary: 'their email address' } },
  options: {
    owner: { summary: 'an owner of the box' },
    account: { value: 'ACCOUNT', summary: 'the account they work on' },
    role: { value: 'ROLE', summary: `their role in it: ${accountRoles.join(', ')}` },
  },
  async run({ args, options, json }, session) {
    const { inviteUser } = await import('../../console/user/invite.ts')
    const { userInvited } = await import('../../console/audit/changes.ts')
    const { json: result } = await session.withBox(
      async (box) => {
        const { accountNamed } = await import('../../operations/account/account-named.ts')
        const asked = roleOf(options)
        const invited: Invited = asked.isOwner
          ? asked
          : { ...asked.given, accountId: (await accountNamed(box.accounts, asked.account)).id }
        const stores = await box.consoleStores()
        const { path, expiresAt } = await inviteUser(
          { ...stores, clock: box.clock },
          { email: args.email, invited, by: null },
        )
        const link = consoleBase(box.config) + path
        return { invited, json: { link, email: args.email, expiresAt: new Date(expiresAt).toISOString() } }
      },
      {
        action: 'user.invite',
        ...(options.account !== undefined && { account: options.account }),
        subject: args.email,
        change: (made) => userInvited(made.invited),
      },
    )
    const notes = json ? [] : ['The link works once, for 24 hours. Send it to them, or open it yourself.']
    return { json: result, text: result.link, notes }
  },
})

interface RoleOptions {
  owner: boolean
  account: string | undefined
  role: string | undefined
}

type AskedRole =
  | { isOwner: true }
  | { isOwner: false; account: string; given: Omit<Extract<Invited, { isOwner: false }>, 'accountId'> }

function roleOf({ owner, account, role }: RoleOptions): AskedRole {
  if (owner && account === undefined && role === undefined) return { isOwner: true }
  const known = accountRoles.find((name) => name === role)
  if (owner || account === undefined || known === undefined) {
    throw new OperatorError(`Say what they will be: --owner, or --account ACCOUNT --role ${accountRoles.join('|')}.`, 2)
  }
  return { isOwner: false, account, given: { isOwner: false, role: known, seesPersonalFields: false } }
}
