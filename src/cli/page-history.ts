import { accountNamed } from './account-named.ts'
import { assetNamed } from './asset-named.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { byteSize, timestamp } from './output/quantities.ts'
import { styleFor } from './output/style.ts'
import { type Cell, tableText } from './output/table.ts'

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
    const { withBox } = await import('./with-box.ts')
    const { handle, page, kept } = await withBox(session, async ({ accounts, catalogue }) => {
      const account = await accountNamed(accounts, args.account)
      const page = await assetNamed(catalogue, account, { kind: 'page', text: args.slug })
      return { handle: account.handle, page, kept: await catalogue.versions(page.id) }
    })
    const versions = kept.map(({ number, state, publishedAt, publishedBy, byteCount, sha256 }) => ({
      version: number,
      current: number === page.current.number,
      state,
      publishedAt: new Date(publishedAt).toISOString(),
      publishedBy,
      byteCount,
      sha256,
    }))
    const rows = kept.map((version): Cell[] => [
      version.number,
      version.number === page.current.number ? { text: 'current', tone: 'good' } : '',
      version.state,
      timestamp(version.publishedAt),
      version.publishedBy === 'hand' ? 'by hand' : 'apply',
      byteSize(version.byteCount),
      version.sha256.slice(0, shownHashCharacters),
    ])
    const headers = ['Version', '', 'State', 'Published', 'By', 'Size', 'SHA-256']
    const table = { headers, rows, empty: '' }
    const result = { account: handle, slug: page.name, id: page.id, versions }
    await session.out.write(
      json ? toJson(result) : tableText(table, styleFor(session.out, session.env), session.out.columns),
    )
    return 0
  },
})
