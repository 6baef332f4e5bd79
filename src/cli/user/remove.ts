import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Removes a user of the console with their sessions and invitations',
  details: 'The last owner stays. --json prints { "email", "removed" }.',
  args: { email: { summary: 'their email address' } },
  async run({ args }, session) {
    const email = args.email.trim().toLowerCase()
    const { userRemoved } = await import('../../console/audit/changes.ts')
    await session.withBox(
      async (box) => {
        const { users } = await box.consoleStores()
        const user = await users.findByEmail(email)
        if (user === null) throw new OperatorError('There is no such user. `capture user list` shows them.')
        if ((await users.remove(user.id)) === 'last_owner')
          throw new OperatorError(
            'That is the last owner, without whom nobody could invite anybody. Invite another one first.',
          )
        return user
      },
      { action: 'user.remove', subject: email, change: userRemoved },
    )
    return { json: { email, removed: true }, text: `Removed ${email}.` }
  },
})
