import { defineCommand } from '../command.ts'
import { NoBoxYet } from '../data-folder/no-box-yet.ts'
import { drawnTable } from '../output/drawn-table.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'

export const accountList = defineCommand({
  name: 'account list',
  summary: 'Lists the accounts on this box',
  details: '--json prints { "accounts": [{ "account", "name", "domains", "forms", "tracking" }] }.',
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { listAccounts } = await import('../../operations/account/list-accounts.ts')
    const accounts = await withBox(session, (box) => listAccounts(box)).catch(noneYet)
    const { config } = await session.loadConfig()
    const table = {
      headers: ['Account', 'Name', 'Domains', 'Forms', 'Tracking'],
      rows: accounts.map((row) => [
        row.account,
        row.name,
        row.domains.join(', '),
        row.forms,
        row.tracking ? 'on' : 'off',
      ]),
      empty: printable(`There is no account in ${config.dataDir} yet: \`capture apply DIR\` publishes one.`),
    }
    await session.out.write(json ? toJson({ accounts }) : drawnTable(table, session))
    return 0
  },
})

/** Without a box there is no account, and listing accounts does not create one. */
function noneYet(error: unknown): [] {
  if (error instanceof NoBoxYet) return []
  throw error
}
