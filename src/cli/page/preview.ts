import { previewLinkJson } from '../../operations/page/page-json.ts'
import { previewKinds, previewTtlMsMax } from '../../operations/page/preview-choice.ts'
import type { PreviewWanted } from '../../operations/page/preview-link.ts'
import { defineCommand, usageError } from '../command.ts'
import { typedDuration } from '../input/typed-time.ts'
import { typedVersion } from '../input/typed-version.ts'

export const preview = defineCommand({
  name: 'preview',
  summary: 'Prints a signed preview address that anybody can open until it expires',
  details: `Works for what is live too. On the preview host pages run in a sandbox; where the box has a host for each account's
previews, the address has that host (docs/previews.md, "Whose origin a page has"). The address shows the current version; with --version, that one and no other.
\`test\` is the account's test page: every domain and form, tried from a browser. Its events need the tracking key, which
this box does not hold: paste it there, or give it here with --key. It then stands behind the address's #, which browsers
send to nobody. Rotating the preview key (\`capture secret rotate preview\`) ends every address at once.
--json prints { "account", "kind", "id", "name", "version", "url", "expiresAt" }; "version" is null without --version, and
of the test page "id", "name" and "version" are null.`,
  args: {
    account: { summary: "the account's handle" },
    what: { summary: 'what to show', choices: ['page', 'img', 'file', 'test'] },
    id: { summary: 'its short id, or the slug or path; not for test', optional: true },
  },
  options: {
    ttl: { value: 'AGE', summary: 'how long the address works (default: 1h)' },
    version: { value: 'N', summary: 'the version to show, as `capture page history` numbers them' },
    key: { value: 'KEY', summary: 'for test: the tracking key, kept out of what is sent' },
  },
  async run({ args, options }, session) {
    const ttlMs = typedDuration('--ttl', options.ttl, previewTtlMsMax) ?? undefined
    const version = typedVersion('--version', options.version)
    const wanted = wantedPreview({ ...args, version, key: options.key ?? null })
    const { previewLink } = await import('../../operations/page/preview-link.ts')
    const link = await session.withBox((box) => previewLink(box, { account: args.account, wanted, ttlMs }))
    return { json: previewLinkJson(link, args.what), text: link.url }
  },
})

interface TypedPreview {
  what: keyof typeof previewKinds | 'test'
  id: string | undefined
  version: number | null
  key: string | null
}

/** @throws a usage error for conflicting options */
function wantedPreview({ what, id, version, key }: TypedPreview): PreviewWanted {
  if (what === 'test') {
    if (id !== undefined) throw usageError('An account has one test page: leave out the ID.')
    if (version !== null) throw usageError('The test page has no versions: leave out --version.')
    return { kind: what, key }
  }
  if (id === undefined) throw usageError(`Name what to show: capture preview ACCOUNT ${what} ID.`)
  if (key !== null) throw usageError('--key is for the test page: capture preview ACCOUNT test.')
  return { kind: previewKinds[what], name: id, version }
}
