import { accountRoles } from '../../console/access/caller.ts'
import type { WantedInvitation } from '../../console/user/user-acts.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { defineCommand, usageError } from '../command.ts'

export const userInvite = defineCommand({
  name: 'user invite',
  summary: 'Prints a link with which somebody becomes a user of the console',
  details: `The link works once, for 24 hours. --owner: an owner of the box, who may do everything. Otherwise --account and --role:
admin, editor (publishes, releases), sales (works on leads), viewer (reads, exports) or client (figures, and leads
without personal fields). An existing user signs in to accept it.
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
  const known = roleNamed(role)
  if (!owner && account !== undefined && known !== undefined) return { email, account, role: known }
  throw usageError(`Say what they will be: --owner, or --account ACCOUNT --role ${accountRoles.join('|')}.`)
}

const roleNamed = (role: string | undefined) => accountRoles.find((name) => name === role)

export const userList = defineCommand({
  name: 'user list',
  summary: 'Lists the users of the console, and their role in each account',
  details: `Invitations that nobody has opened yet follow, on stderr. --json prints [{ "id", "email", "owner",
"roles": [{ "account", "role" }], "createdAt", "lastSignInAt" }].`,
  async run(_, session) {
    const { invitedText, userJson } = await import('../../console/user/user.ts')
    const { accountNames } = await import('../../operations/account/account-names.ts')
    const { users, notes } = await session.withBox(async (box) => {
      const { handleById } = accountNames(await box.accounts.list())
      const { users } = await box.consoleStores()
      const open = await users.openInvitations(session.clock.now())
      return {
        users: (await users.list()).map((user) => userJson(user, handleById)),
        notes: open.map(
          ({ email, invited, expiresAt }) =>
            `${email} is invited as ${invitedText(invited, handleById)}; the link works until ${timestamp(expiresAt)}.`,
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

export const userRole = defineCommand({
  name: 'user role',
  summary: 'Gives a user of the console another role in an account',
  details: `It holds from the user's next request on. --json prints { "email", "role" }.
  capture user role colleague@agency.example --account acme --role sales`,
  args: { email: { summary: 'their email address' } },
  options: {
    account: { value: 'ACCOUNT', summary: 'the account they work on' },
    role: { value: 'ROLE', summary: `their new role in it: ${accountRoles.join(', ')}` },
  },
  async run({ args, options: { account, role: named } }, session) {
    const role = roleNamed(named)
    if (account === undefined || role === undefined)
      throw usageError(`Say the account and the role: --account ACCOUNT --role ${accountRoles.join('|')}.`)
    const { changeRole } = await import('../../console/user/colleague-acts.ts')
    const { answer } = await session.act(changeRole, { account, user: args.email, role })
    return { json: answer, text: `${answer.email} is ${role} of ${account} from now on.` }
  },
})

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Removes a user of the console with their sessions and invitations, or their access to one account',
  details: `It also revokes the tokens that they made, with what was made with those, and withdraws their open invitations of
others: make the tokens that a program still needs again. Of somebody who is no user yet, it withdraws the invitation. The
last owner cannot be removed. With --account they lose their access to that account alone, and are removed if they have no other.
--json prints { "email", "removed", "ended": { "tokens": [{ "id", "name" }], "invitations": ["…"],
"shares", "accepted": ["…"] } }; "ended" is missing where nobody was a user yet.`,
  args: { email: { summary: 'their email address' } },
  options: { account: { value: 'ACCOUNT', summary: 'only from this account' } },
  async run({ args, options: { account } }, session) {
    const { removeUser } = await import('../../console/user/user-acts.ts')
    const { removeColleague } = await import('../../console/user/colleague-acts.ts')
    const { endedSentences } = await import('../../console/token/token-json.ts')
    const email = args.email.trim().toLowerCase()
    const { answer, user } =
      account === undefined
        ? await session.act(removeUser, { user: email })
        : await session.act(removeColleague, { account, user: email })
    const { ended } = answer
    if (user === null) return { json: answer, text: `Withdrew the invitation of ${email}.` }
    const text =
      ended === undefined
        ? `${email} has no access to ${account} any more.`
        : [`Removed ${email}.`, ...endedSentences(ended)]
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
    const { answer, subject: email } = await session.act(signUserOut, { user: args.email.trim().toLowerCase() })
    const { ended } = answer
    return { json: { email, ended }, text: `Ended ${plural(ended, 'session')} of ${email}.` }
  },
})
