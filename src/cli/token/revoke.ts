import { defineCommand } from '../command.ts'

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'Ends a token of the API at once',
  details: `What was made with it ends too: tokens, invitations that nobody has accepted yet, and links to reports. Users who have
accepted one are named, and stay. Revoking it again changes nothing. --json prints { "id", "name", "revokedAt", "ended": {
"tokens": [{ "id", "name" }], "invitations": ["…"], "shares", "accepted": ["…"] } }.`,
  args: { id: { summary: "the token's id, as `capture token list` shows it" } },
  async run({ args }, session) {
    const { endedSentences } = await import('../../console/token/token-json.ts')
    const { revokeToken } = await import('../../console/token/token-acts.ts')
    const { answer, name } = await session.act(revokeToken, { token: args.id })
    const { id, ...how } = answer
    return { json: { id, name, ...how }, text: [`The token "${name}" is revoked.`, ...endedSentences(how.ended)] }
  },
})
