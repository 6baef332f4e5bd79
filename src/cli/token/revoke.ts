import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'Ends a token of the API at once',
  details: `What was made with it ends too: tokens, invitations that nobody has accepted yet, and links to reports. Users who have
accepted one are named, and stay. Revoking it again changes nothing. --json prints { "id", "name", "revokedAt", "ended": {
"tokens": [{ "id", "name" }], "invitations": ["…"], "shares", "accepted": ["…"] } }.`,
  args: { id: { summary: "the token's id, as `capture token list` shows it" } },
  async run({ args }, session) {
    const { endedJson, endedSentences } = await import('../../console/token/token-json.ts')
    const { makerEnded } = await import('../../console/audit/changes.ts')
    const { token, ended } = await session.withBox(
      async (box) => {
        const { tokens } = await box.consoleStores()
        const found = await tokens.revoke(args.id, box.clock.now())
        if (found === null) throw new OperatorError('There is no such token. `capture token list` shows their ids.')
        return found
      },
      { action: 'token.revoke', subject: args.id, change: ({ ended }) => makerEnded(ended) },
    )
    const { id, name } = token
    const revokedAt = new Date(token.revokedAt ?? 0).toISOString()
    return {
      json: { id, name, revokedAt, ended: endedJson(ended) },
      text: [`The token "${name}" is revoked.`, ...endedSentences(ended)],
    }
  },
})
