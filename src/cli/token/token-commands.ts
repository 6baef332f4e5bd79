import { scopes as allScopes } from '../../account/scope.ts'
import { tokenLifeMsMax } from '../../console/token/api-token.ts'
import { timestamp } from '../../lib/quantities.ts'
import { defineCommand, usageError } from '../command.ts'
import { typedDuration } from '../input/typed-values.ts'

const example = 'For example: capture token create --name website --account acme --scope read,publish --expires 90d'

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Makes a token for the API, which is shown once',
  details: `For a program that calls the API, or for \`capture apply --to\`. Scopes do not nest: read (every list and record), publish
(apply, pages, links, previews), release, erase, admin (keys, deliveries, users). --json prints { "id", "token", "expiresAt" }.`,
  options: {
    name: { value: 'NAME', summary: 'a name that tells you later what the token is for' },
    account: { value: 'ACCOUNT', summary: 'the only account that it works for' },
    box: { summary: 'it works for every account, and for the box' },
    scope: { value: 'LIST', summary: `separated by commas: ${allScopes.join(', ')}` },
    expires: { value: 'AGE', summary: 'how long it works, such as 90d' },
  },
  async run({ options, json }, session) {
    const { name, account, box: ofBox, scope: written, expires } = options
    const missing = [
      ...(name === undefined ? ['--name NAME'] : []),
      ...(account === undefined && !ofBox ? ['--account ACCOUNT or --box'] : []),
      ...(written === undefined ? [`--scope LIST (of ${allScopes.join(', ')})`] : []),
      ...(expires === undefined ? ['--expires AGE'] : []),
    ]
    if (ofBox && account !== undefined) throw usageError('--account and --box exclude each other: give one of them.')
    if (name === undefined || written === undefined || expires === undefined || missing.length > 0)
      throw usageError(`${missing.join('; ')} ${missing.length === 1 ? 'is' : 'are'} missing. ${example}`)
    const lifeMs = typedDuration('--expires', expires, tokenLifeMsMax) ?? 0
    const { createToken } = await import('../../console/token/token-acts.ts')
    const scopes = written.split(',').map((scope) => scope.trim())
    const asked = { name, account, scopes, expiresInDays: lifeMs / 86_400_000 }
    const { answer } = await session.act(createToken, asked)
    return {
      json: answer,
      text: answer.token,
      notes: json ? [] : ['The token is not shown again. Send it as: Authorization: Bearer cap_…'],
    }
  },
})

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'Lists the tokens of the API',
  details: `Revoked and expired ones are listed for 90 days. --json prints [{ "id", "name", "account": "…"|null, "box", "scopes",
"prefix", "state": "usable"|"revoked"|"expired", "createdAt", "expiresAt", "lastUsedAt", "user": "…"|null,
"parent": "…"|null }]: the user or the token that made it.`,
  async run(_, session) {
    const { makerNames, tokenJson } = await import('../../console/token/token-json.ts')
    const { accountNames } = await import('../../operations/account/account-names.ts')
    const { tokens, makerOf } = await session.withBox(async (box) => {
      const { handleById } = accountNames(await box.accounts.list())
      const stores = await box.consoleStores()
      const tokens = (await stores.tokens.list()).map((token) => tokenJson(token, box.clock.now(), handleById))
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
