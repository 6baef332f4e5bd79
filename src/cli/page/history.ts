import { byteSize, timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import type { Cell } from '../output/table.ts'

const shownHashCharacters = 12

export const pageHistoryCommand = defineCommand({
  name: 'page history',
  summary: 'Shows the versions of a landing page that are kept',
  details: `--json prints { "account", "slug", "id", "versions": [{ "version", "current", "state", "publishedAt", "publishedBy",
"byteCount", "sha256" }] }, latest first.`,
  args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
  async run({ args }, session) {
    const { pageHistory } = await import('../../operations/page/page-history.ts')
    const { pageHistoryJson } = await import('../../operations/page/page-json.ts')
    const found = await session.withBox((box) => pageHistory(box, args))
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
    return { json: pageHistoryJson(found), text: { headers, rows, empty: '' } }
  },
})
