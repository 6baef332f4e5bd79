import { defineCommand } from '../command.ts'

export const pagePublish = defineCommand({
  name: 'page publish',
  summary: 'Makes a page live that was in preview',
  details: `The folder is the truth: the lines that site.toml needs, so that the next apply agrees, are printed on stderr.
--json prints { "account", "slug", "id", "state", "changed": true|false, "url", "siteToml" }.`,
  args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { runMove } = await import('./move.ts')
    return runMove({ ...args, state: 'live', json }, session)
  },
})
