import { defineCommand } from './command.ts'
import { typedVersion } from './typed-version.ts'

export const pageRollback = defineCommand({
  name: 'page rollback',
  summary: 'Shows visitors an earlier version of a page',
  details: `Without --to it goes back to the latest version whose content differs. A page stays live or in preview as it is.
The folder is the truth: how its file gets the same content, so that the next apply agrees, is printed on stderr.
--json prints { "account", "slug", "id", "state", "version", "rolledBackTo", "sha256", "url" }.`,
  args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
  options: { to: { value: 'N', summary: 'the version, as `capture page history` numbers them' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const to = typedVersion('--to', options.to)
    const { rollBackPage } = await import('./page-rollback-run.ts')
    return rollBackPage({ ...args, to, json }, session)
  },
})
