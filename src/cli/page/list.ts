import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import type { Cell } from '../output/table.ts'

export const pageList = defineCommand({
  name: 'page list',
  summary: 'Lists the landing pages of an account',
  details: `"by hand" marks a change by a \`page\` command: the next apply restores the page from the folder.
--json prints { "account", "pages": [{ "slug", "id", "state", "version", "publishedAt", "publishedBy", "url" }] }.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { listPages } = await import('../../operations/page/list-pages.ts')
    const { listedPagesJson } = await import('../../operations/page/page-json.ts')
    const result = await session.withBox((box) => listPages(box, args.account))
    const rows = result.pages.map((page): Cell[] => [
      page.slug,
      page.id,
      { text: page.state, tone: page.state === 'live' ? 'good' : 'doubtful' },
      page.version,
      timestamp(page.publishedAt) + (page.publishedBy === 'hand' ? ', by hand' : ''),
      // A signed preview address is too long for a table.
      page.state === 'live' ? page.url : `capture preview ${result.account} page ${page.slug}`,
    ])
    const headers = ['Slug', 'Id', 'State', 'Version', 'Published', 'Address']
    return { json: listedPagesJson(result), text: { headers, rows, empty: `${result.account} has no pages.` } }
  },
})
