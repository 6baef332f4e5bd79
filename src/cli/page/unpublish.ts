import { defineCommand } from '../command.ts'

export const pageUnpublish = defineCommand({
  name: 'page unpublish',
  summary: 'Takes a live page back into preview: visitors get 404',
  details: `The folder is the truth: the lines that site.toml needs, so that the next apply agrees, are printed on stderr.
--json prints { "account", "slug", "id", "state", "changed": true|false, "url", "siteToml" }.`,
  args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { runMove } = await import('./move.ts')
    return runMove({ ...args, state: 'preview', json }, session)
  },
})
