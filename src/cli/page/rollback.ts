import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { typedVersion } from '../input/typed-values.ts'

export const pageRollback = defineCommand({
  name: 'page rollback',
  summary: 'Shows visitors an earlier version of a page',
  details: `Without --to it goes back to the latest version whose content differs. A page stays live or in preview as it is.
The next apply restores what the folder says, so stderr says how its file gets the same content.
--json prints { "account", "slug", "id", "state", "version", "rolledBackTo", "sha256", "url" }.`,
  args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
  options: { to: { value: 'N', summary: 'the version, as `capture page history` numbers them' } },
  async run({ args, options }, session) {
    const to = typedVersion('--to', options.to)
    const { rollBackPage } = await import('../../operations/page/roll-back-page.ts')
    const { answer, shownSince } = await session.act(rollBackPage, { ...args, to })
    const { slug, version, url, rolledBackTo } = answer
    const from = `version ${rolledBackTo} of ${timestamp(shownSince)}`
    const text = `${slug} shows ${from} again, as version ${version}: ${url}`
    return { json: answer, text, notes: advice(slug, url) }
  },
})

const advice = (slug: string, url: string): string[] => [
  'The folder is the truth, and nothing in site.toml says which content a page has. For the next apply to agree, give the',
  "page's file in the folder this content again, while the page is served:",
  `  curl -sSo pages/${slug}.html '${url}'`,
]
