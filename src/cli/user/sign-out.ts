import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

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
