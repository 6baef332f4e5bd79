import { byteSize, timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { drawnTable } from '../output/drawn-table.ts'
import { toJson } from '../output/json.ts'
import type { Cell } from '../output/table.ts'

const shownHashCharacters = 12

export const pageHistory = defineCommand({
  name: 'page history',
  summary: 'Shows the versions of a landing page that are kept',
  details: `--json prints { "account", "slug", "id", "versions": [{ "version", "current", "state", "publishedAt", "publishedBy",
"byteCount", "sha256" }] }, latest first.`,
  args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { pageHistory: history } = await import('../../operations/page/page-history.ts')
    const { pageHistoryJson } = await import('../../operations/page/page-json.ts')
    const found = await withBox(session, (box) => history(box, args))
    const rows = found.versions.map((version): Cell[] => [
      version.number,
      version.number === found.current ? { text: 'current', tone: 'good' } : '',
      version.state,
      timestamp(version.publishedAt),
      version.publishedBy === 'hand' ? 'by hand' : 'apply',
      byteSize(version.byteCount),
      version.sha256.slice(0, shownHashCharacters),
    ])
    const headers = ['Version', '', 'State', 'Published', 'By', 'Size', 'SHA-256']
    const table = { headers, rows, empty: '' }
    await session.out.write(json ? toJson(pageHistoryJson(found)) : drawnTable(table, session))
    return 0
  },
})
