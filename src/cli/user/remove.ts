import type { AuditChange } from '../../console/audit/audit-log.ts'
import type { UserStore } from '../../console/user/user-store.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Removes a user of the console with their sessions and invitations',
  details: `It also withdraws the invitation of somebody who has not opened it yet. The last owner stays. --json prints {
"email", "removed" }.`,
  args: { email: { summary: 'their email address' } },
  async run({ args }, session) {
    const email = args.email.trim().toLowerCase()
    const { text } = await session.withBox(async (box) => removed(email, (await box.consoleStores()).users), {
      action: 'user.remove',
      subject: email,
      change: ({ change }) => change,
    })
    return { json: { email, removed: true }, text }
  },
})

async function removed(email: string, users: UserStore): Promise<{ text: string; change: AuditChange }> {
  const { userRemoved, invitationsWithdrawn } = await import('../../console/audit/changes.ts')
  const user = await users.findByEmail(email)
  if (user === null) {
    if ((await users.withdraw(email)) > 0)
      return { text: `Withdrew the invitation of ${email}.`, change: invitationsWithdrawn(email) }
    throw new OperatorError('Nobody with this address is a user or invited. `capture user list` shows the users.')
  }
  if ((await users.remove(user.id)) === 'last_owner')
    throw new OperatorError(
      'That is the last owner, without whom nobody could invite anybody. Invite another one first.',
    )
  return { text: `Removed ${email}.`, change: userRemoved(user) }
}
