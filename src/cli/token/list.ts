import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'Lists the tokens of the API',
  details: `Revoked and expired ones are listed for 90 days. --json prints [{ "id", "name", "account": "…"|null, "box", "scopes",
"prefix", "state": "usable"|"revoked"|"expired", "createdAt", "expiresAt", "lastUsedAt" }].`,
  async run(_, session) {
    const { tokenJson } = await import('../../console/token/token-json.ts')
    const { handlesById } = await import('../../console/account-names.ts')
    const tokens = await session.withBox(async (box) => {
      const handleOf = await handlesById(box.accounts)
      return (await (await box.consoleStores()).tokens.list()).map((token) =>
        tokenJson(token, box.clock.now(), handleOf),
      )
    })
    const rows = tokens.map(({ id, name, account, scopes, state, expiresAt }) => [
      id,
      name,
      account ?? 'the box',
      scopes.join(', '),
      state,
      timestamp(Date.parse(expiresAt)),
    ])
    const headers = ['Token', 'Name', 'For', 'Scopes', 'State', 'Expires']
    return { json: tokens, text: { headers, rows, empty: 'There are no tokens.' } }
  },
})
