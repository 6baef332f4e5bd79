import { defineCommand } from '../command.ts'
import { NoBoxYet } from '../data-folder/prepare.ts'

export const accountList = defineCommand({
  name: 'account list',
  summary: 'Lists the accounts on this box',
  details: '--json prints { "accounts": [{ "account", "name", "domains", "forms", "tracking" }] }.',
  async run(_, session) {
    const { listAccounts } = await import('../../operations/account/show-account.ts')
    const accounts = await session.withBox((box) => listAccounts(box)).catch(noneYet)
    const { config } = await session.loadConfig()
    const text = {
      headers: ['Account', 'Name', 'Domains', 'Forms', 'Tracking'],
      rows: accounts.map((row) => [
        row.account,
        row.name,
        row.domains.join(', '),
        row.forms,
        row.tracking ? 'on' : 'off',
      ]),
      empty: `There is no account in ${config.dataDir} yet: \`capture apply DIR\` publishes one.`,
    }
    return { json: { accounts }, text }
  },
})

/** Without a box there is no account, and listing accounts does not create one. */
function noneYet(error: unknown): [] {
  if (error instanceof NoBoxYet) return []
  throw error
}
