import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Removes a user of the console with their sessions and invitations',
  details: 'The last owner stays. --json prints { "email", "removed" }.',
  args: { email: { summary: 'their email address' } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const email = args.email.trim().toLowerCase()
    const { withBox } = await import('../with-box.ts')
    const outcome = await withBox(session, async (box) => {
      const { users } = await box.consoleStores()
      const user = await users.findByEmail(email)
      return user === null ? 'unknown' : users.remove(user.id)
    })
    if (outcome === 'unknown') throw new OperatorError('There is no such user. `capture user list` shows them.')
    if (outcome === 'last_owner') {
      throw new OperatorError(
        'That is the last owner, without whom nobody could invite anybody. Invite another one first.',
      )
    }
    await session.out.write(json ? toJson({ email, removed: true }) : `${printable(`Removed ${email}.`)}\n`)
    return 0
  },
})
