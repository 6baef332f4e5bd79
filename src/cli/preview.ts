import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { typedDuration } from './typed-time.ts'
import { typedVersion } from './typed-version.ts'

/** Whoever holds the address can look: a year is long enough for any review. */
const ttlMsMax = 366 * 86_400_000

export const preview = defineCommand({
  name: 'preview',
  summary: 'Prints a signed preview address that anybody can open until it expires',
  details: `Works for what is live too. The address shows whichever version is current; with --version, that one and no other.
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
  printsResult: true,
  async run({ args, options, json }, session) {
    const wanted = {
      ...args,
      id: args.id ?? null,
      ttlMs: typedDuration('--ttl', options.ttl, ttlMsMax),
      version: typedVersion('--version', options.version),
      key: options.key ?? null,
    }
    const { previewed } = await import('./preview-run.ts')
    const result = await previewed(wanted, session)
    await session.out.write(json ? toJson(result) : `${result.url}\n`)
    return 0
  },
})
