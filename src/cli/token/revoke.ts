import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'Ends a token of the API at once',
  details: 'Revoking it again changes nothing. --json prints { "id", "name", "revokedAt" }.',
  args: { id: { summary: "the token's id, as `capture token list` shows it" } },
  async run({ args }, session) {
    const revoked = await session.withBox(
      async (box) => {
        const { tokens } = await box.consoleStores()
        const found = await tokens.revoke(args.id, box.clock.now())
        if (found === null) throw new OperatorError('There is no such token. `capture token list` shows their ids.')
        return found
      },
      { action: 'token.revoke', subject: args.id },
    )
    const { id, name } = revoked
    const revokedAt = new Date(revoked.revokedAt ?? 0).toISOString()
    return { json: { id, name, revokedAt }, text: `The token "${name}" is revoked.` }
  },
})
