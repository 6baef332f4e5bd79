import { previewWords } from '../../asset/preview-host.ts'
import { byteSize, timestamp } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { promotePage } from '../../operations/page/promote-page.ts'
import { type Command, defineCommand, usageError } from '../command.ts'
import { typedDuration, typedVersion } from '../input/typed-values.ts'
import type { Cell } from '../output/table.ts'

export const pageList = defineCommand({
  name: 'page list',
  summary: 'Lists the landing pages of an account',
  details: `"by hand" marks a change by a \`page\` command: the next apply restores the page from the folder.
--json prints { "account", "pages": [{ "slug", "id", "version", "state", "publishedBy", "url", "liveFrom": "…"|null,
"liveUntil": "…"|null, "publishedAt" }] }.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { listPages } = await import('../../operations/page/pages.ts')
    const { listedPagesJson } = await import('../../operations/page/pages.ts')
    const result = await session.withBox((box) => listPages(box, args.account))
    const rows = result.pages.map((page): Cell[] => [
      page.slug,
      page.id,
      { text: page.showing, tone: page.isLive ? 'good' : 'doubtful' },
      page.version,
      timestamp(page.publishedAt) + (page.publishedBy === 'hand' ? ', by hand' : ''),
      // A signed preview address is too long for a table.
      page.isLive ? page.url : `capture preview ${result.account} page ${page.slug}`,
    ])
    const headers = ['Slug', 'Id', 'State', 'Version', 'Published', 'Address']
    return { json: listedPagesJson(result), text: { headers, rows, empty: `${result.account} has no pages.` } }
  },
})

export const pagePublish = moving('publishPage', {
  name: 'page publish',
  summary: 'Makes a page live that was in preview',
})

export const pageUnpublish = moving('unpublishPage', {
  name: 'page unpublish',
  summary: 'Takes a live page back into preview: visitors get 404',
})

function moving(act: 'publishPage' | 'unpublishPage', described: { name: string; summary: string }): Command {
  return defineCommand({
    ...described,
    details: `The next apply restores what the folder says, so stderr has the lines that site.toml needs to keep this change.
--json prints { "account", "slug", "id", "state", "changed": true|false, "url", "siteToml" }.`,
    args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
    async run({ args }, session) {
      const acts = await import('../../operations/page/page-acts.ts')
      const { answer } = await session.act(acts[act], args)
      const { slug, state, changed, url, siteToml } = answer
      const text = `${slug} ${changed ? 'is now' : 'was already'} ${state}: ${url}`
      return { json: answer, text, notes: changed ? moveAdvice(siteToml) : [] }
    },
  })
}

const moveAdvice = (siteToml: string): string[] => [
  "The folder is the truth. For the next apply to agree, let the page's entry in site.toml say this (add the entry where",
  'there is none), beside a `file` line nothing else:',
  ...siteToml.trimEnd().split('\n'),
]

const shownHashCharacters = 12

export const pageHistoryCommand = defineCommand({
  name: 'page history',
  summary: 'Shows the versions of a landing page that are kept',
  details: `--json prints { "account", "slug", "id", "versions": [{ "version", "current", "state", "liveFrom": "…"|null, "liveUntil": "…"|null,
"publishedAt", "publishedBy", "byteCount", "sha256" }] }, latest first.`,
  args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
  async run({ args }, session) {
    const { pageHistory } = await import('../../operations/page/pages.ts')
    const { pageHistoryJson } = await import('../../operations/page/pages.ts')
    const found = await session.withBox((box) => pageHistory(box, args))
    const rows = found.versions.map((version): Cell[] => [
      version.number,
      version.number === found.current ? { text: 'current', tone: 'good' } : '',
      version.showing,
      timestamp(version.publishedAt),
      version.publishedBy === 'hand' ? 'by hand' : 'apply',
      byteSize(version.byteCount),
      version.sha256.slice(0, shownHashCharacters),
    ])
    const headers = ['Version', '', 'State', 'Published', 'By', 'Size', 'SHA-256']
    return { json: pageHistoryJson(found), text: { headers, rows, empty: '' } }
  },
})

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
    const { rollBackPage } = await import('../../operations/page/page-acts.ts')
    const { answer, shownSince } = await session.act(rollBackPage, { ...args, to })
    const { slug, version, url, rolledBackTo } = answer
    const from = `version ${rolledBackTo} of ${timestamp(shownSince)}`
    const text = `${slug} shows ${from} again, as version ${version}: ${url}`
    return { json: answer, text, notes: rollbackAdvice(slug, url) }
  },
})

const rollbackAdvice = (slug: string, url: string): string[] => [
  'The folder is the truth, and nothing in site.toml says which content a page has. For the next apply to agree, give the',
  "page's file in the folder this content again, while the page is served:",
  `  curl -sSo pages/${slug}.html '${url}'`,
]

export const pagePromote = defineCommand({
  name: 'page promote',
  summary: 'Makes a variant of a split page the page, and ends the split',
  details: `Visitors of the page see the variant's content within a second (docs/splits.md). The next apply restores what the folder
says, so stderr says which lines site.toml must lose, and which file to copy.
--json prints { "account", "slug", "id", "variant", "from", "version", "sha256", "url", "siteTomlToRemove" }.`,
  args: {
    account: { summary: "the account's handle" },
    slug: { summary: "the page's slug or short id" },
    variant: { summary: "the variant's name" },
  },
  async run({ args }, session) {
    const { promotePage } = await import('../../operations/page/promote-page.ts')
    const { answer } = await session.act(promotePage, args)
    const { slug, variant, from, version, url } = answer
    const text = `${slug} shows variant ${variant} (${from}) to everybody, as version ${version}: ${url}`
    return { json: answer, text, notes: promotionAdvice(answer) }
  },
})

const promotionAdvice = ({ slug, from, siteTomlToRemove }: AnswerOf<typeof promotePage>): string[] => [
  'The folder is the truth. For the next apply to agree, remove these lines from site.toml:',
  ...siteTomlToRemove.trimEnd().split('\n'),
  "and give the page's file the variant's content:",
  `  cp pages/${from}.html pages/${slug}.html`,
]

export const preview = defineCommand({
  name: 'preview',
  summary: 'Prints a signed preview address that anybody can open until it expires',
  details: `Live content can be previewed too. On the preview host pages run in a sandbox; where the box has a host for each account's
previews, the address has that host (docs/previews.md, "Whose origin a page has"). The address shows the current version; with --version, that one and no other.
\`test\` is the account's test page: every domain and form, tried from a browser. Its events need the tracking key, which
this box does not hold: paste it there, or give it here with --key. It then stands behind the address's #, which browsers
send to nobody. Rotating the preview key (\`capture secret rotate preview\`) ends every address at once.
--json prints { "account", "kind", "id", "name", "version", "url", "expiresAt" }; "version" is null without --version, and
of the test page "id", "name" and "version" are null.`,
  args: {
    account: { summary: "the account's handle" },
    what: { summary: 'what to show', choices: previewWords },
    id: { summary: 'its short id, or the slug or path; not for test', optional: true },
  },
  options: {
    ttl: { value: 'AGE', summary: 'how long the address works (default: 1h)' },
    version: { value: 'N', summary: 'the version to show, as `capture page history` numbers them' },
    key: { value: 'KEY', summary: 'for test: the tracking key, kept out of what is sent' },
  },
  async run({ args: { account, what: kind, id }, options: { ttl, version, key } }, session) {
    const { previewLink, previewTtlMsMax } = await import('../../operations/page/preview-link.ts')
    typedDuration('--ttl', ttl, previewTtlMsMax)
    const wanted = { kind, id, version: typedVersion('--version', version) ?? undefined, ttl, key }
    refuseUnfit(wanted)
    const input = { account, ...wanted }
    const { answer } = await session.withBox((box) => previewLink.run(box, input, { caller: null }))
    return { json: answer, text: answer.url }
  },
})

interface TypedPreview {
  kind: (typeof previewWords)[number]
  id: string | undefined
  version: number | undefined
  key: string | undefined
}

/** @throws a usage error for conflicting options */
function refuseUnfit({ kind, id, version, key }: TypedPreview): void {
  if (kind === 'test') {
    if (id !== undefined) throw usageError('An account has one test page: leave out the ID.')
    if (version !== undefined) throw usageError('The test page has no versions: leave out --version.')
    return
  }
  if (id === undefined) throw usageError(`Name what to show: capture preview ACCOUNT ${kind} ID.`)
  if (key !== undefined) throw usageError('--key is for the test page: capture preview ACCOUNT test.')
}
