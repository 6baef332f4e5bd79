import { scopes } from '../../account/scope.ts'
import { tokenLifeMsMax } from '../../console/token/api-token.ts'
import { defineCommand, usageError } from '../command.ts'
import { typedDuration } from '../input/typed-time.ts'

const example = 'For example: capture token create --name website --account acme --scope read,publish --expires 90d'

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Makes a token for the API, which is shown once',
  details: `For a program that calls the API, or for \`capture apply --to\`. Scopes do not nest: read (every list and record), publish
(apply, pages, links, previews), release, erase, admin (keys, deliveries, users). --json prints { "id", "token", "expiresAt" }.`,
  options: {
    name: { value: 'NAME', summary: 'by which you will know it again' },
    account: { value: 'ACCOUNT', summary: 'the only account that it works for' },
    box: { summary: 'it works for every account, and for the box' },
    scope: { value: 'LIST', summary: `separated by commas: ${scopes.join(', ')}` },
    expires: { value: 'AGE', summary: 'how long it works, such as 90d' },
  },
  async run({ options, json }, session) {
    const { name, account, box: ofBox, scope: written, expires } = options
    const missing = [
      ...(name === undefined ? ['--name NAME'] : []),
      ...(account === undefined && !ofBox ? ['--account ACCOUNT or --box'] : []),
      ...(written === undefined ? [`--scope LIST (of ${scopes.join(', ')})`] : []),
      ...(expires === undefined ? ['--expires AGE'] : []),
    ]
    if (ofBox && account !== undefined) throw usageError('--account and --box exclude each other: give one of them.')
    if (name === undefined || written === undefined || expires === undefined || missing.length > 0)
      throw usageError(`${missing.join('; ')} ${missing.length === 1 ? 'is' : 'are'} missing. ${example}`)
    const lifeMs = typedDuration('--expires', expires, tokenLifeMsMax) ?? 0
    const { tokenCreated } = await import('../../console/audit/changes.ts')
    const { createToken } = await import('../../console/token/create-token.ts')
    const { token, stored } = await session.withBox(
      async (box) => {
        const { accountNamed } = await import('../../operations/account/account-named.ts')
        const accountId = account === undefined ? null : (await accountNamed(box.accounts, account)).id
        const { tokens } = await box.consoleStores()
        const wanted = { name, accountId, scopes: written.split(',').map((scope) => scope.trim()), lifeMs, by: null }
        return createToken({ tokens, clock: box.clock }, wanted)
      },
      {
        action: 'token.create',
        ...(account !== undefined && { account }),
        subject: (done) => done?.stored.id ?? '',
        change: ({ stored }) => tokenCreated(stored),
      },
    )
    const { id, expiresAt } = stored
    return {
      json: { id, token, expiresAt: new Date(expiresAt).toISOString() },
      text: token,
      notes: json ? [] : ['The token is not shown again. Send it as: Authorization: Bearer cap_…'],
    }
  },
})
