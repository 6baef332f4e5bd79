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
    const { removeUser, removedUserJson } = await import('../../console/user/remove-user.ts')
    const { endedSentences } = await import('../../console/token/token-json.ts')
    const { userRemoved } = await import('../../console/audit/changes.ts')
    const email = args.email.trim().toLowerCase()
    const removed = await session.withBox(
      async (box) => removeUser({ ...(await box.consoleStores()), clock: box.clock }, email, null),
      { action: 'user.remove', subject: email, change: userRemoved },
    )
    const text =
      removed.ended === null
        ? `Withdrew the invitation of ${email}.`
        : [`Removed ${email}.`, ...endedSentences(removed.ended)]
    return { json: removedUserJson(removed), text }
  },
})
