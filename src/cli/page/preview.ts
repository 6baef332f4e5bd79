import { defineCommand, usageError } from '../command.ts'
import { typedDuration, typedVersion } from '../input/typed-values.ts'

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
    what: { summary: 'what to show', choices: ['page', 'img', 'file', 'test'] },
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
  kind: 'page' | 'img' | 'file' | 'test'
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
