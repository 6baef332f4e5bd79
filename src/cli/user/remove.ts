import type { AuditChange } from '../../console/audit/audit-log.ts'
import type { endedJson } from '../../console/token/token-json.ts'
import type { UserStore } from '../../console/user/user-store.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Removes a user of the console with their sessions and invitations',
  details: `Tokens that they made are revoked, with what was made with those, and their open invitations of others withdrawn: make
the tokens that a program still needs again. It also withdraws the invitation of somebody who has not opened it yet. The
last owner stays. --json prints { "email", "removed", "ended": { "tokens": [{ "id", "name" }], "invitations": ["…"],
"shares", "accepted": ["…"] } }; "ended" is missing where nobody was a user yet.`,
  args: { email: { summary: 'their email address' } },
  async run({ args }, session) {
    const email = args.email.trim().toLowerCase()
    const { text, ended } = await session.withBox(
      async (box) => removed(email, await box.consoleStores(), box.clock.now()),
      {
        action: 'user.remove',
        subject: email,
        change: ({ change }) => change,
      },
    )
    return { json: { email, removed: true, ...(ended && { ended }) }, text }
  },
})

interface Removed {
  text: string[]
  change: AuditChange
  ended?: ReturnType<typeof endedJson>
}

async function removed(email: string, { users }: { users: UserStore }, now: number): Promise<Removed> {
  const { endedJson, endedSentences } = await import('../../console/token/token-json.ts')
  const { userRemoved, invitationsWithdrawn } = await import('../../console/audit/changes.ts')
  const user = await users.findByEmail(email)
  if (user === null) {
    if ((await users.withdraw(email)) > 0)
      return { text: [`Withdrew the invitation of ${email}.`], change: invitationsWithdrawn(email) }
    throw new OperatorError('Nobody with this address is a user or invited. `capture user list` shows the users.')
  }
  const ended = await users.remove(user.id, now)
  if (ended === 'unknown') throw new OperatorError('Somebody else has removed this user meanwhile.')
  if (ended === 'last_owner')
    throw new OperatorError(
      'That is the last owner, without whom nobody could invite anybody. Invite another one first.',
    )
  return {
    text: [`Removed ${email}.`, ...endedSentences(ended)],
    change: userRemoved(user, ended),
    ended: endedJson(ended),
  }
}
