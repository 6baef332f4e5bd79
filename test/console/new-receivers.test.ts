import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { type ApiCalled, apiOf, newToken } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { runCommand } from '../harness/capture-command.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { zipOf } from '../harness/zips.ts'

type Call = ReturnType<typeof apiOf>

const crm = { name: 'crm', kind: 'webhook', url: 'https://crm.example/in', forms: ['contact1'] }
const sales = { name: 'sales', kind: 'mail', to: ['sales@acme.example'] }
const monthly = { name: 'monthly', kind: 'report', to: ['owner@acme.example'], every: 'month' }
const chat = { name: 'chat', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secretpart' }
const turnstile = { provider: 'turnstile', sitekey: 'k', secret: 's' }
const other = { id: 'careers1', name: 'Careers' }
const site = (overrides: Partial<ASite> = {}): ASite => {
  const base = aSite()
  const known = { forms: [...base.forms, other], deliveries: [crm, sales, monthly, chat], bot_check: turnstile }
  return aSite({ ...known, ...overrides })
}

let box: Box
const callers = new Map<string, Call>()
beforeAll(async () => {
  box = await Box.start([site()], { console: { listen: '127.0.0.1:0' } })
  for (const role of ['admin', 'editor', 'viewer', 'client']) {
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(
      await ConsoleVisitor.invite(box, [`${role}@acme.example`, '--account', 'acme', '--role', role]),
    )
    callers.set(role, apiOf(box, visitor))
  }
  callers.set('owner', apiOf(box, await ConsoleVisitor.owner(box)))
  for (const scope of ['publish', 'admin', 'publish,admin', 'read,publish,release,erase']) {
    for (const reach of [['--account', 'acme'], ['--box']] as const) {
      const token = await newToken(box, ...reach, '--scope', scope)
      callers.set(`${reach[0]} ${scope}`, apiOf(box, token))
    }
  }
}, boxStartMsMax)
afterAll(() => box.stop())

const call = (caller: string): Call => callers.get(caller) ?? (() => Promise.reject(new Error(caller)))

/** The files of the folder by their paths. */
function filesOf(sent: ASite): Record<string, Uint8Array> {
  const folder = join(box.dir, 'sent', crypto.randomUUID())
  writeSite(folder, sent)
  const paths = ['site.toml', ...Object.keys(sent.files)]
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))]))
}

function formOf(sent: ASite): FormData {
  const form = new FormData()
  for (const [path, bytes] of Object.entries(filesOf(sent))) form.append('files', new Blob([bytes]), `acme/${path}`)
  return form
}

async function apply(caller: string, sent: ASite, query = ''): Promise<ApiCalled> {
  const content = zipOf(filesOf(sent))
  return call(caller)('POST', `/accounts/acme/apply${query}`, { text: { type: 'application/zip', content } })
}

const published = async (): Promise<string> => (await call('owner')('GET', '/accounts/acme/site.toml')).text

const errorOf = ({ body }: ApiCalled) => body.error as { code: string; message: string; receivers?: object[] }

const withDelivery = (name: string, change: object): ASite =>
  site({ deliveries: [crm, sales, monthly, chat].map((one) => (one.name === name ? { ...one, ...change } : one)) })

const redirections: { what: string; sent: () => ASite; named: string }[] = [
  {
    what: 'a new webhook',
    sent: () =>
      site({ deliveries: [crm, sales, monthly, chat, { ...crm, name: 'evil', url: 'https://evil.example/' }] }),
    named: 'webhook "evil" to https://evil.example/',
  },
  {
    what: 'another address of a webhook',
    sent: () => withDelivery('crm', { url: 'https://evil.example/' }),
    named: 'webhook "crm" to https://evil.example/',
  },
  {
    what: 'one more recipient of a mail',
    sent: () => withDelivery('sales', { to: ['sales@acme.example', 'x@evil.example'] }),
    named: 'mail "sales" to x@evil.example',
  },
  {
    what: 'another recipient of a report',
    sent: () => withDelivery('monthly', { to: ['x@evil.example'] }),
    named: 'report "monthly" to x@evil.example',
  },
  {
    what: 'another address of a chat',
    sent: () => withDelivery('chat', { url: 'https://hooks.slack.com/services/T1/B1/otherpart' }),
    named: 'slack "chat" to hooks.slack.com/…',
  },
  {
    what: 'another kind under the same name',
    sent: () => withDelivery('chat', { kind: 'webhook' }),
    named: 'webhook "chat" to https://hooks.slack.com/services/T0/B0/secretpart',
  },
  {
    what: 'the submissions of another form for a webhook',
    sent: () => withDelivery('crm', { forms: ['contact1', 'careers1'] }),
    named: 'webhook "crm" with the submissions of careers1',
  },
  {
    what: 'the submissions of every form for a webhook',
    sent: () => withDelivery('crm', { forms: undefined }),
    named: 'webhook "crm" with the submissions of careers1',
  },
  {
    what: 'an address that sees each bot check',
    sent: () => site({ bot_check: { ...turnstile, verify_url: 'https://evil.example/siteverify' } }),
    named: "bot checks, with the visitor's address, to evil.example",
  },
]

describe('an apply with', () => {
  const lacking = ['--account publish', '--box publish', '--box read,publish,release,erase', 'editor']
  const table = redirections.flatMap((row) => lacking.map((caller) => ({ ...row, caller })))
  test.each(table)('$what by $caller is refused, and its dry run says why', async ({ caller, sent, named }) => {
    const before = await published()
    const refused = await apply(caller, sent())
    const error = errorOf(refused)
    expect([refused.status, error.code]).toEqual([403, 'forbidden'])
    expect(error.message).toContain(named)
    expect(error.message).toContain('have an admin of the account or an owner publish it')
    expect(await published()).toBe(before)

    const planned = await apply(caller, sent(), '?dryRun=true')
    const { message, receivers } = planned.body.notAllowed as { message: string; receivers: object[] }
    expect(planned.status).toBe(200)
    expect(error.message).toBe(`${message} Nothing was changed.`)
    expect(error.receivers).toEqual(receivers)
  })

  const able = ['--account publish,admin', '--box publish,admin', 'admin', 'owner']
  test.each(redirections.flatMap((row) => able.map((caller) => ({ ...row, caller }))))(
    '$what by $caller would be published',
    async ({ caller, sent }) => {
      const planned = await apply(caller, sent(), '?dryRun=true')
      expect([planned.status, planned.body.notAllowed]).toEqual([200, undefined])
    },
  )

  test.each(['viewer', 'client', '--account admin', '--box admin'])('anything by %s is refused', async (caller) => {
    expect((await apply(caller, site())).status).toBe(403)
  })

  const harmless: { what: string; sent: () => ASite }[] = [
    { what: 'fewer recipients', sent: () => withDelivery('sales', { forms: ['contact1'] }) },
    { what: 'a destination less', sent: () => site({ deliveries: [crm] }) },
    {
      what: 'a reply to visitors',
      sent: () =>
        site({ forms: [...aSite().forms, { ...other, bot_check: 'on', reply: { subject: 'Thanks', text: 'Soon.' } }] }),
    },
    {
      what: 'a new form for an old destination',
      sent: () =>
        site({
          forms: [...site().forms, { id: 'newform1', name: 'New' }],
          deliveries: [{ ...crm, forms: ['contact1', 'newform1'] }, sales, monthly, chat],
        }),
    },
    {
      what: 'another redirect_url',
      sent: () => site({ forms: [...aSite().forms, { ...other, redirect_url: 'https://go.acme.test/b' }] }),
    },
  ]
  test.each(harmless)('$what by a token that may publish would be published', async ({ sent }) => {
    const planned = await apply('--account publish', sent(), '?dryRun=true')
    expect([planned.status, planned.body.notAllowed]).toEqual([200, undefined])
  })
})

test('site.toml with a new destination is refused to a token without admin, and taken from one with it', async () => {
  const read = await call('owner')('GET', '/accounts/acme/site.toml')
  const evil = '\n[[deliveries]]\nname = "evil"\nkind = "webhook"\nurl = "https://evil.example/"\n'
  const put = (caller: string, query: string) =>
    call(caller)('PUT', `/accounts/acme/site.toml${query}`, {
      text: { type: 'application/toml', content: read.text + evil },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    })
  const refused = await put('--account publish', '')
  expect([refused.status, errorOf(refused).message]).toEqual([403, expect.stringContaining('webhook "evil"')])
  expect((await put('--account publish', '?dryRun=true')).body.notAllowed).toBeDefined()
  expect((await put('--account publish,admin', '?dryRun=true')).status).toBe(200)
})

describe('the console', () => {
  test('shows an editor why a plan cannot be published, and refuses the form', async () => {
    const editor = new ConsoleVisitor(box)
    await editor.accept(
      await ConsoleVisitor.invite(box, ['shown@acme.example', '--account', 'acme', '--role', 'editor']),
    )
    const form = formOf(redirections[0]?.sent() ?? site())
    const plan = (await editor.sendForm('/a/acme/publish', form)).headers.get('location') ?? ''
    const page = await editor.get(plan)
    expect(page.text).toContain('have an admin of the account or an owner publish it')
    expect(page.text).not.toContain('<button>Publish')
    const [, upload = ''] = /name="upload" value="([^"]+)"/.exec(page.text) ?? []
    const [, state = ''] = /name="state" value="([^"]+)"/.exec(page.text) ?? []
    const sent = await editor.send('POST', '/a/acme/publish', { upload, state, prune: '' })
    expect([sent.status, sent.text]).toEqual([403, expect.stringContaining('Nothing was changed.')])
  })

  test('shows an admin what a plan sends somewhere new', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const form = formOf(redirections[0]?.sent() ?? site())
    const plan = (await owner.sendForm('/a/acme/publish', form)).headers.get('location') ?? ''
    const { text } = await owner.get(plan)
    expect(text).toContain('This sends what visitors enter somewhere new.')
    expect(text).toContain('<button>Publish')
  })
})

describe('what goes somewhere new', () => {
  const told = 'webhook "evil" to evil.example/…'

  test('stands in what needs attention, for the account’s colleagues and owners, and in the audit log', async () => {
    const owner = await ConsoleVisitor.owner(box)
    expect((await owner.get('/')).text).not.toContain('somewhere new')
    expect((await apply('--account publish,admin', redirections[0]?.sent() ?? site())).status).toBe(200)
    const admin = new ConsoleVisitor(box)
    await admin.accept(await ConsoleVisitor.invite(box, ['told@acme.example', '--account', 'acme', '--role', 'admin']))
    const client = new ConsoleVisitor(box)
    await client.accept(await ConsoleVisitor.invite(box, ['c@acme.example', '--account', 'acme', '--role', 'client']))
    for (const visitor of [owner, admin]) {
      const { text } = await visitor.get('/')
      expect(text).toContain('what visitors of The acme studio enter has gone somewhere new (')
      expect(text).toContain('evil.example')
    }
    expect((await client.get('/')).text).not.toContain('evil.example')
    const audit = await call('owner')('GET', '/audit?q=account.apply')
    const [entry] = audit.body.items as { after: { receivers: string[] } }[]
    expect(entry?.after.receivers).toEqual([told])
    expect((await box.run(['apply', join(box.dir, 'sites', 'acme')])).status).toBe(0)
  })
})

test('the command says in a dry run from elsewhere who can publish it, and nothing of it on the box', async () => {
  const folder = join(box.dir, 'elsewhere')
  writeSite(folder, redirections[0]?.sent() ?? site())
  const { token } = await newToken(box, '--account', 'acme', '--scope', 'publish')
  const to = ['apply', folder, '--to', `http://localhost:${box.consolePort}`]
  const planned = await runCommand([...to, '--dry-run'], box.dir, { CAPTURE_TOKEN: token })
  expect([planned.status, planned.stderr]).toEqual([
    0,
    expect.stringContaining('webhook "evil" to https://evil.example/'),
  ])
  const refused = await runCommand(to, box.dir, { CAPTURE_TOKEN: token })
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('have an admin of the account')])
  const here = await box.run(['apply', folder, '--dry-run'])
  expect([here.status, here.stderr]).toEqual([0, expect.not.stringContaining('have an admin')])
})
