import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'Lists the tokens of the API',
  details: `Revoked and expired ones are listed for 90 days. --json prints [{ "id", "name", "account": "…"|null, "box", "scopes",
"prefix", "state": "usable"|"revoked"|"expired", "createdAt", "expiresAt", "lastUsedAt", "user": "…"|null,
"parent": "…"|null }]: the user or the token that made it.`,
  async run(_, session) {
    const { makerNames, tokenJson } = await import('../../console/token/token-json.ts')
    const { handlesById } = await import('../../console/account-names.ts')
    const { tokens, makerOf } = await session.withBox(async (box) => {
      const handleOf = await handlesById(box.accounts)
      const stores = await box.consoleStores()
      const tokens = (await stores.tokens.list()).map((token) => tokenJson(token, box.clock.now(), handleOf))
      return { tokens, makerOf: makerNames(tokens, await stores.users.list()) }
    })
    const rows = tokens.map(({ id, name, account, scopes, state, expiresAt, user, parent }) => [
      id,
      name,
      account ?? 'the box',
      scopes.join(', '),
      makerOf({ user, parent }) ?? 'a command',
      state,
      timestamp(Date.parse(expiresAt)),
    ])
    const headers = ['Token', 'Name', 'For', 'Scopes', 'Made by', 'State', 'Expires']
    return { json: tokens, text: { headers, rows, empty: 'There are no tokens.' } }
  },
})
