import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const userSignOut = defineCommand({
  name: 'user sign-out',
  summary: 'Ends all sessions of a user of the console',
  details: `They can sign in again: remove a user who must not. --json prints { "email", "ended" }, the number of sessions.`,
  args: { email: { summary: 'their email address' } },
  async run({ args }, session) {
    const email = args.email.trim().toLowerCase()
    const ended = await session.withBox(
      async (box) => {
        const { users, sessions } = await box.consoleStores()
        const user = await users.findByEmail(email)
        if (user === null)
          throw new OperatorError('Nobody with this address is a user. `capture user list` shows the users.')
        return sessions.endAll(user.id)
      },
      { action: 'session.end', subject: email },
    )
    return { json: { email, ended }, text: `Ended ${plural(ended, 'session')} of ${email}.` }
  },
})
