import { accountRoles } from '../../console/access/caller.ts'
import type { WantedInvitation } from '../../console/user/user-acts.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
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

export const userList = defineCommand({
  name: 'user list',
  summary: 'Lists the users of the console, and their role in each account',
  details: `Invitations that nobody has opened yet follow, on stderr. --json prints [{ "id", "email", "owner",
"roles": [{ "account", "role", "seesPersonalFields" }], "createdAt", "lastSignInAt" }].`,
  async run(_, session) {
    const { invitedText, userJson } = await import('../../console/user/user.ts')
    const { handlesById } = await import('../../console/account-names.ts')
    const { users, notes } = await session.withBox(async (box) => {
      const handleOf = await handlesById(box.accounts)
      const { users } = await box.consoleStores()
      const open = await users.openInvitations(session.clock.now())
      return {
        users: (await users.list()).map((user) => userJson(user, handleOf)),
        notes: open.map(
          ({ email, invited, expiresAt }) =>
            `${email} is invited as ${invitedText(invited, handleOf)}; the link works until ${timestamp(expiresAt)}.`,
        ),
      }
    })
    const rows = users.map(({ email, owner, roles, lastSignInAt }) => [
      email,
      owner ? 'owner' : roles.map(({ account, role }) => `${role} of ${account}`).join(', '),
      lastSignInAt === null ? 'never' : timestamp(Date.parse(lastSignInAt)),
    ])
    const empty = 'There are no users. Invite the first: capture user invite YOU@EXAMPLE --owner'
    return { json: users, text: { headers: ['User', 'Role', 'Last sign-in'], rows, empty }, notes }
  },
})

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Removes a user of the console with their sessions and invitations',
  details: `It also revokes the tokens that they made, with what was made with those, and withdraws their open invitations of
others: make the tokens that a program still needs again. Of somebody who is no user yet, it withdraws the invitation. The
last owner cannot be removed. --json prints { "email", "removed", "ended": { "tokens": [{ "id", "name" }], "invitations": ["…"],
"shares", "accepted": ["…"] } }; "ended" is missing where nobody was a user yet.`,
  args: { email: { summary: 'their email address' } },
  async run({ args }, session) {
    const { removeUser } = await import('../../console/user/user-acts.ts')
    const { endedSentences } = await import('../../console/token/token-json.ts')
    const email = args.email.trim().toLowerCase()
    const { answer } = await session.act(removeUser, { user: email })
    const { ended } = answer
    const text =
      ended === undefined ? `Withdrew the invitation of ${email}.` : [`Removed ${email}.`, ...endedSentences(ended)]
    return { json: answer, text }
  },
})

export const userSignOut = defineCommand({
  name: 'user sign-out',
  summary: 'Ends all sessions of a user of the console',
  details: `The user can sign in again; to prevent that, remove the user. --json prints { "email", "ended" }, the number of sessions.`,
  args: { email: { summary: 'their email address' } },
  async run({ args }, session) {
    const { signUserOut } = await import('../../console/user/user-acts.ts')
    const { answer, email } = await session.act(signUserOut, { user: args.email.trim().toLowerCase() })
    const { ended } = answer
    return { json: { email, ended }, text: `Ended ${plural(ended, 'session')} of ${email}.` }
  },
})
