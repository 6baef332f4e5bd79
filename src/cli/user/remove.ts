import { defineCommand } from '../command.ts'

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
