import { defineCommand } from './command.ts'
import { NoBoxYet } from './no-box-yet.ts'
import { toJson } from './output/json.ts'
import { printable } from './output/printable.ts'
import { styleFor } from './output/style.ts'
import { tableText } from './output/table.ts'

export const accountList = defineCommand({
  name: 'account list',
  summary: 'Lists the accounts on this box',
  details: '--json prints { "accounts": [{ "account", "name", "domains", "forms", "tracking" }] }.',
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, session) {
    const { withBox } = await import('./with-box.ts')
    const { dataDir, accounts } = await withBox(session, async (box) => {
      const handles = (await box.accounts.list()).map((summary) => summary.handle)
      const found = await Promise.all(handles.map((handle) => box.accounts.find(handle)))
      return { dataDir: box.dataDir, accounts: found.filter((account) => account !== null) }
    }).catch(noneYet)
    const result = accounts.map(({ handle, settings, forms }) => ({
      account: handle,
      name: settings.name,
      domains: settings.domains,
      forms: forms.length,
      tracking: settings.tracking.enabled,
    }))
    const table = {
      headers: ['Account', 'Name', 'Domains', 'Forms', 'Tracking'],
      rows: result.map((row) => [
        row.account,
        row.name,
        row.domains.join(', '),
        row.forms,
        row.tracking ? 'on' : 'off',
      ]),
      empty: printable(`There is no account in ${dataDir} yet: \`capture apply DIR\` publishes one.`),
    }
    await session.out.write(
      json ? toJson({ accounts: result }) : tableText(table, styleFor(session.out, session.env), session.out.columns),
    )
    return 0
  },
})

/** Where no box was ever made there is no account, and to ask is no reason to make one. */
function noneYet(error: unknown): { dataDir: string; accounts: [] } {
  if (error instanceof NoBoxYet) return { dataDir: error.dataDir, accounts: [] }
  throw error
}
