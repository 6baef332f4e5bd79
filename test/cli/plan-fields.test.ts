// What a plan says of each change: old and new values, key by key.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ASite, aSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

const secrets = {
  bot: ['bot-secret-of-before', 'bot-secret-of-after'],
  webhook: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_bmV3LXNlY3JldC1vZi10aGUtZm9sZGVy'],
  chat: ['https://hooks.slack.com/services/BEFORE', 'https://hooks.slack.com/services/AFTER'],
  key: [`svc_tk_${'b'.repeat(32)}`, `svc_tk_${'a'.repeat(32)}`],
} as const

const email = { type: 'string', format: 'email' }
const launch = '<h1>Launch</h1>\n<p>Everything at once.</p>\n'

function site(when: 0 | 1, overrides: Partial<ASite> = {}): ASite {
  return aSite({
    tracking: { key: secrets.key[when] },
    bot_check: { provider: 'turnstile', sitekey: 'site', secret: secrets.bot[when] },
    deliveries: [
      { name: 'chat', kind: 'slack', url: secrets.chat[when] },
      { name: 'crm', kind: 'webhook', url: 'https://crm.example.com/in', secret: secrets.webhook[when] },
    ],
    forms: [{ id: 'contact1', name: 'Contact', schema: { required: ['email'], properties: { email } } }],
    goals: [{ name: 'Lead', form: 'contact1' }],
    files: { 'pages/launch.html': launch, 'img/a.svg': '<svg></svg>' },
    ...overrides,
  })
}

interface Result {
  changes: { kind: string; name: string; fields: { field: string; before: string; after: string; diff?: string }[] }[]
}

let folder: ADataFolder
beforeAll(async () => {
  folder = await ADataFolder.with(site(0))
})
afterAll(() => folder[Symbol.dispose]())

/** The fields of a dry run, as `domains: go.acme.test → start.acme.test`. */
async function fieldsOf(after: ASite): Promise<string[]> {
  const { changes }: Result = JSON.parse((await folder.apply(after, '--dry-run', '--json')).stdout)
  return changes.flatMap(({ fields }) => fields.map(({ field, before, after }) => `${field}: ${before} → ${after}`))
}

describe('a plan', () => {
  test('names old and new values by the keys of site.toml', async () => {
    const { type } = email
    const changed = site(0, {
      domains: ['go.acme.test', 'start.acme.test'],
      retention: { submissions: '90d' },
      goals: [{ name: 'Lead', event: 'sent' }],
      forms: [
        { id: 'contact1', name: 'Contact', schema: { required: ['email', 'phone'], properties: { email: { type } } } },
      ],
    })
    expect(await fieldsOf(changed)).toEqual([
      'domains: null → start.acme.test',
      'retention.submissions: for ever → 90 days',
      'goals.Lead.form: contact1 → null',
      'goals.Lead.event: null → sent',
      'schema.required: null → phone',
      'schema.properties.email.format: email → null',
    ])
  })

  test('says of secrets that they change, and shows none of them', async () => {
    const printed = await Promise.all([
      folder.apply(site(1), '--dry-run'),
      folder.apply(site(1), '--dry-run', '--json'),
    ])
    const text = printed.map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(text).toContain('bot_check.secret: (secret) → (changed)')
    expect(text).toContain('tracking.key: (the key in use) → (the key in site.toml)')
    expect(
      Object.values(secrets)
        .flat()
        .filter((secret) => text.includes(secret)),
    ).toEqual([])
  })

  test('of the same folder has no change', async () => {
    expect(await fieldsOf(site(0))).toEqual([])
  })

  test('shows state, size and text of a page', async () => {
    const files = { 'pages/launch.html': launch.replace('Launch', 'Launched'), 'img/a.svg': '<svg></svg>' }
    const { stdout } = await folder.apply(site(0, { files, previews: ['pages/launch.html'] }), '--dry-run')
    expect(stdout).toContain(`
  ~ page launch
      state: live → preview
      content: 43 bytes → 45 bytes
        @@ -1,2 +1,2 @@
        -<h1>Launch</h1>
        +<h1>Launched</h1>
         <p>Everything at once.</p>
`)
  })

  test('begins with the same count whether it is looked at, refused or published', async () => {
    using folder = await ADataFolder.with()
    const changed = aSite({ domains: ['start.acme.test'], files: { 'pages/new.html': 'new' } })
    const first = ({ stdout }: { stdout: string }) => stdout.slice(0, stdout.indexOf('\n'))
    const looked = first(await folder.apply(changed, '--dry-run'))
    const refused = await folder.run(['apply', folder.path('sites/acme')])
    const published = first(await folder.apply(changed))
    const count = 'acme: 2 changes (1 new, 1 changed), harm in 1 way; '
    expect([looked, first(refused), published]).toEqual([
      `${count}dry run, nothing is changed.`,
      `${count}not published.`,
      `${count}published.`,
    ])
  })
})
