import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const userList = defineCommand({
  name: 'user list',
  summary: 'Lists the users of the console, and their role in each account',
  details: `Invitations that nobody has opened yet follow, on stderr. --json prints [{ "id", "email", "owner",
"roles": [{ "account", "role", "seesPersonalFields" }], "createdAt", "lastSignInAt" }].`,
  async run(_, session) {
    const { invitedText, userJson } = await import('../../console/user/user-json.ts')
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
