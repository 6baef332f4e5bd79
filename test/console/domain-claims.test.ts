// Who may connect which name (docs/domains.md, "Who may connect a name").
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { type ApiCalled, apiOf, newToken } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { DnsServer } from '../harness/dns-server.ts'
import { applyAnew } from '../harness/publishing.ts'
import { zipOf } from '../harness/zips.ts'

type Api = ReturnType<typeof apiOf>

let box: Box
let dns: DnsServer
let owner: ConsoleVisitor
let admin: ConsoleVisitor
/** By who calls: of the account `bold`, or of the box. */
const callers = new Map<string, Api>()
const ofAccount = ['a token', 'an admin', 'an editor']
const ofBox = ['an owner', 'a token of the box']

beforeAll(async () => {
  dns = await DnsServer.with({})
  box = await Box.start([aSite(), aSite({ account: 'bold' }), aSite({ account: 'gone' })], {
    server: { preview_host: 'preview.shared.dev' },
    console: { listen: '127.0.0.1:0', host: 'console.shared.dev' },
    https: { resolvers: [dns.address] },
  })
  owner = await ConsoleVisitor.owner(box)
  callers.set('an owner', apiOf(box, owner))
  callers.set('a token of the box', apiOf(box, await newToken(box, '--box', '--scope', 'read,publish,admin')))
  callers.set('a token', await tokenOf('bold'))
  admin = await userOf('admin')
  callers.set('an admin', apiOf(box, admin))
  callers.set('an editor', apiOf(box, await userOf('editor')))
  await box.run(['account', 'domains', 'bold', '--add', 'shared.dev'])
}, boxStartMsMax)
afterAll(async () => {
  await dns[Symbol.asyncDispose]()
  await box.stop()
})

const tokenOf = async (account: string): Promise<Api> =>
  apiOf(box, await newToken(box, '--account', account, '--scope', 'read,publish,admin'))

async function userOf(role: string): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(
    await ConsoleVisitor.invite(box, [`${role}@agency.example`, '--account', 'bold', '--role', role]),
  )
  return visitor
}

const as = (name: string): Api => {
  const found = callers.get(name)
  if (found === undefined) throw new Error(`nobody is called ${name}`)
  return found
}

const ownName = (account: string) => `go.${account}.test`

const zipWith = (account: string, more: readonly string[]) => {
  const site = aSite({ account, domains: [ownName(account), ...more] })
  const { files: _, ...siteToml } = site
  return zipOf({ 'site.toml': Bun.TOML.stringify({ ...siteToml, tracking: { key: trackingKeyOf(account) } }) })
}

/** Applies the account's folder by the API, with more names than its own. */
const applyBy = (api: Api, account: string, more: readonly string[], query = ''): Promise<ApiCalled> =>
  api('POST', `/accounts/${account}/apply${query}`, {
    text: { type: 'application/zip', content: zipWith(account, more) },
  })

/** The same on the box. */
const applyHere = (account: string, ...more: string[]) =>
  applyAnew(box, aSite({ account, domains: [ownName(account), ...more] }))

/** A name that the account had connected, and no longer has. */
async function dropped(account: string, host: string): Promise<string> {
  for (const more of [[host], []]) {
    const { status, stderr } = await applyHere(account, ...more)
    if (status !== 0) throw new Error(stderr)
  }
  return host
}

const faultsOf = ({ body }: ApiCalled): string[] =>
  ((body.error as { faults?: { message: string }[] } | undefined)?.faults ?? []).map(({ message }) => message)

const neutral = (host: string) => `${host} can't be connected to this account. Ask the agency that runs this box.`

async function domainsOf(account: string): Promise<string[]> {
  const { text } = await as('an owner')('GET', `/accounts/${account}/site.toml`)
  return (Bun.TOML.parse(text) as { domains: string[] }).domains
}

/** Sets the time at which names were let go back by so many days. */
function age(days: number): void {
  const database = new Database(join(box.dir, 'data', 'capture.db'))
  database.run('UPDATE reserved_domain SET dropped_at = dropped_at - ?', [days * 86_400_000])
  database.close()
}

describe('a name that an account let go', () => {
  test.each(ofAccount)('is refused to %s of another account, as one that is held or the box’s own', async (who) => {
    const host = await dropped('acme', 'was.shared.dev')
    await applyHere('acme', 'held.shared.dev')
    const refused = [host, 'held.shared.dev', 'preview.shared.dev', 'console.shared.dev']
    for (const name of refused) {
      const answer = await applyBy(as(who), 'bold', [name])
      expect([answer.status, faultsOf(answer)]).toEqual([422, [neutral(name)]])
    }
    expect(await domainsOf('bold')).toEqual([ownName('bold')])
  })

  test('is refused in a plan too', async () => {
    const host = await dropped('acme', 'planned.shared.dev')
    expect(faultsOf(await applyBy(as('a token'), 'bold', [host], '?dryRun=true'))).toEqual([neutral(host)])
  })

  test('is taken back by its former account without a proof', async () => {
    const host = await dropped('acme', 'back.acme-studio.com')
    expect((await applyBy(await tokenOf('acme'), 'acme', [host])).status).toBe(200)
    expect(await domainsOf('acme')).toEqual([ownName('acme'), host])
    await applyHere('acme')
  })

  test('is free after thirty days, and not before', async () => {
    const host = await dropped('acme', 'later.shared.dev')
    age(29)
    expect((await applyBy(as('a token'), 'bold', [host])).status).toBe(422)
    age(1)
    expect((await applyBy(as('a token'), 'bold', [host])).status).toBe(200)
    await applyHere('bold')
  })

  test.each(ofBox)('is taken at once by %s, told who had it', async (who) => {
    const host = await dropped('acme', 'taken.shared.dev')
    const { status, body } = await applyBy(as(who), 'bold', [host])
    expect([status, body.takenOver]).toEqual([200, [{ host, account: 'acme', droppedAt: expect.any(String) }]])
    await applyHere('bold')
  })

  test('is taken at once by a command on the box, told who had it', async () => {
    const host = await dropped('acme', 'typed.shared.dev')
    const { status, stderr } = await applyHere('bold', host)
    expect(status).toBe(0)
    expect(stderr.split('\n').filter((line) => line.startsWith('notice:'))).toEqual([
      expect.stringMatching(
        /^notice: typed\.shared\.dev is reserved for the account "acme", which had it until 20.*UTC/,
      ),
    ])
    await applyHere('bold')
  })

  test('of a removed account is reserved under its handle', async () => {
    await applyHere('gone', 'gone.shared.dev')
    await box.run(['account', 'remove', 'gone', '--yes'])
    const { stdout } = await box.run(['domain', 'reserved', '--json'])
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ host: 'gone.shared.dev', account: 'gone' }))
    expect(faultsOf(await applyBy(as('a token'), 'bold', ['gone.shared.dev']))).toEqual([neutral('gone.shared.dev')])
  })

  describe('is free once an owner frees it', () => {
    const ways: [string, (host: string) => Promise<unknown>][] = [
      ['by a command', (host) => box.run(['domain', 'release', host])],
      ['by a token of the box', (host) => as('a token of the box')('POST', `/domains/${host}/release`)],
      ['on the page of Health', (host) => owner.send('POST', '/box', { act: 'release', host })],
      ['on the page of its former account', (host) => owner.send('POST', '/a/acme/domains', { act: 'release', host })],
    ]

    test.each(ways)('%s', async (_, release) => {
      const host = await dropped('acme', 'freed.shared.dev')
      for (const page of ['/box', '/a/acme/domains']) expect((await owner.get(page)).text).toContain(`value="${host}"`)
      await release(host)
      expect((await applyBy(as('a token'), 'bold', [host])).status).toBe(200)
      await applyHere('bold')
      await box.run(['domain', 'release', host])
    })
  })

  test.each(ofAccount)('is not freed by %s of an account', async (who) => {
    const host = await dropped('acme', 'kept.shared.dev')
    expect((await as(who)('POST', `/domains/${host}/release`)).status).toBe(403)
    expect((await as(who)('GET', '/domains/reserved')).status).toBe(403)
    expect((await box.run(['domain', 'reserved'])).stdout).toContain(host)
  })

  test('is not freed by an admin on the page of an account', async () => {
    const host = await dropped('bold', 'ours.shared.dev')
    const page = await admin.get('/a/bold/domains')
    expect([page.status, page.text.includes(host)]).toEqual([200, false])
    await admin.send('POST', '/a/bold/domains', { act: 'release', host })
    expect((await box.run(['domain', 'reserved'])).stdout).toContain(host)
  })

  test('that is not reserved cannot be freed', async () => {
    expect((await box.run(['domain', 'release', 'never.shared.dev'])).stderr).toContain('is not reserved')
    expect((await as('an owner')('POST', '/domains/never.shared.dev/release')).status).toBe(404)
  })
})

interface Planned {
  host: string
  allowed: boolean
  record: { name: string; value: string } | null
  note: string
}

async function plannedBy(who: string, host: string): Promise<Planned> {
  const { status, body } = await applyBy(as(who), 'bold', [host], '?dryRun=true')
  expect(status).toBe(200)
  const [planned] = body.newDomains as Planned[]
  if (planned === undefined) throw new Error('the plan says nothing of the name')
  return planned
}

describe('a new name', () => {
  test.each(ofAccount)('needs of %s the record that its plan prints', async (who) => {
    const host = `${who.replace(/\W/g, '-')}.bold-studio.com`
    const planned = await plannedBy(who, host)
    const { record, note } = planned
    expect(planned).toMatchObject({ host, allowed: false, record: { name: `_capture.${host}` } })
    expect(note).toContain(`_capture.${host} TXT "${record?.value}"`)
    const refused = await applyBy(as(who), 'bold', [host])
    expect([refused.status, faultsOf(refused), await domainsOf('bold')]).toEqual([422, [note], [ownName('bold')]])
    dns.names[`_capture.${host}`] = { txt: ['v=spf1 -all', record?.value ?? ''] }
    expect(await plannedBy(who, host)).toMatchObject({ allowed: true, record })
    expect((await applyBy(as(who), 'bold', [host])).status).toBe(200)
    await applyHere('bold')
    await box.run(['domain', 'release', host])
  })

  test('has a record for each account and name', async () => {
    const [one, other] = [
      await plannedBy('a token', 'a.bold-studio.com'),
      await plannedBy('a token', 'b.bold-studio.com'),
    ]
    const { body } = await applyBy(await tokenOf('acme'), 'acme', ['a.bold-studio.com'], '?dryRun=true')
    const [theirs] = body.newDomains as Planned[]
    expect(new Set([one, other, theirs].map((planned) => planned?.record?.value)).size).toBe(3)
    expect((await plannedBy('an admin', 'a.bold-studio.com')).record).toEqual(one.record)
  })

  test('keeps its record when keys are replaced', async () => {
    const before = await plannedBy('a token', 'kept.bold-studio.com')
    for (const purpose of ['click', 'cookie', 'preview']) await box.run(['secret', 'rotate', purpose])
    expect(await plannedBy('a token', 'kept.bold-studio.com')).toEqual(before)
  })

  test('that another account holds is asked for the same as a free one', async () => {
    await applyHere('acme', 'held.acme-studio.com')
    const [held, free] = [
      await plannedBy('a token', 'held.acme-studio.com'),
      await plannedBy('a token', 'free.acme-studio.com'),
    ]
    const asked = ({ host, note, record }: Planned) =>
      note.replaceAll(host, 'HOST').replace(record?.value ?? '', 'VALUE')
    expect(asked(held)).toBe(asked(free))
    await applyHere('acme')
  })

  test('is not connected when no DNS server answers', async () => {
    dns.names['_capture.mute.bold-studio.com'] = 'silence'
    const { note } = await plannedBy('a token', 'mute.bold-studio.com')
    expect(note).toContain('could not be looked up (timeout)')
  })

  test('is one of at most twenty that are looked up at a time', async () => {
    const hosts = Array.from({ length: 30 }, (_, at) => `many${at}.bold-studio.com`)
    await applyBy(as('a token'), 'bold', hosts, '?dryRun=true')
    expect(new Set(dns.asked.filter((name) => name.startsWith('_capture.many'))).size).toBe(20)
  })

  test.each(ofAccount)('below a suffix of the account needs of %s no record', async (who) => {
    const host = 'new.shared.dev'
    expect(await plannedBy(who, host)).toMatchObject({ allowed: true, record: null })
    expect((await applyBy(as(who), 'bold', [host])).status).toBe(200)
    await applyHere('bold')
  })

  test.each(['deep.agency.test', '203.0.113.7', 'www.bold.localhost'])(
    'that no record can prove, such as %s, needs a suffix',
    async (host) => {
      const { allowed, record, note } = await plannedBy('a token', host)
      expect([allowed, record, note]).toEqual([false, null, expect.stringContaining('no DNS record can prove')])
      expect((await applyBy(as('a token'), 'bold', [host])).status).toBe(422)
      await box.run(['account', 'domains', 'bold', '--add', host])
      expect((await applyBy(as('a token'), 'bold', [host])).status).toBe(200)
      await applyHere('bold')
    },
  )

  test('that merely ends like a suffix is not below it', async () => {
    expect(await plannedBy('a token', 'notshared.dev')).toMatchObject({ allowed: false })
  })

  test.each([...ofBox])('needs of %s nothing', async (who) => {
    for (const host of ['free.bold-studio.com', 'free.bold.test', '203.0.113.8']) {
      const { status, body } = await applyBy(as(who), 'bold', [host])
      expect([status, body.newDomains]).toEqual([200, undefined])
      await applyHere('bold')
    }
  })

  test.each(['co.uk', 'com', 'github.io'])('that is the public suffix %s is a fault for everybody', async (host) => {
    const fault = `${host} is a public suffix, under which names are registered: connect a name below it`
    for (const who of [...ofAccount, ...ofBox])
      expect(faultsOf(await applyBy(as(who), 'bold', [host]))).toEqual([fault])
    expect((await applyHere('bold', host)).stderr).toContain(fault)
  })

  test('is refused to `apply --to` in the same words', async () => {
    const site = aSite({ account: 'bold', domains: [ownName('bold'), 'far.bold-studio.com'] })
    const { note } = await plannedBy('a token', 'far.bold-studio.com')
    await applyAnew(box, site, '--dry-run')
    const { token } = await newToken(box, '--account', 'bold', '--scope', 'publish')
    const to = ['--to', `http://localhost:${box.consolePort}`, '--token', token]
    const folder = join(box.dir, 'sites', 'bold')
    expect((await box.run(['apply', folder, ...to])).stderr).toContain(note)
    expect((await box.run(['apply', folder, ...to, '--dry-run'])).stdout).toContain(note)
  })

  test('is refused to an editor who edits site.toml on the page', async () => {
    const { note } = await plannedBy('an editor', 'page.bold-studio.com')
    const api = as('an editor')
    const read = await api('GET', '/accounts/bold/site.toml')
    const content = read.text.replace(ownName('bold'), `${ownName('bold')}", "page.bold-studio.com`)
    const headers = { 'if-match': read.headers.get('etag') ?? '' }
    const answer = await api('PUT', '/accounts/bold/site.toml', {
      text: { type: 'application/toml', content },
      headers,
    })
    expect([answer.status, faultsOf(answer)]).toEqual([422, [note]])
  })
})

test('a connected name stays valid without a proof', async () => {
  await applyHere('bold', 'old.bold-studio.com')
  expect((await applyBy(as('a token'), 'bold', ['old.bold-studio.com'])).status).toBe(200)
  await applyHere('bold')
})

describe('the suffixes of an account', () => {
  test('are listed, added and removed by a command', async () => {
    const listed = async (...options: string[]) =>
      (
        JSON.parse((await box.run(['account', 'domains', 'acme', ...options, '--json'])).stdout) as {
          suffixes: string[]
        }
      ).suffixes
    expect(await listed('--add', 'Agency.Example')).toEqual(['agency.example'])
    expect(await listed()).toEqual(['agency.example'])
    expect(await listed('--remove', 'agency.example')).toEqual([])
  })

  test.each(ofBox)('are changed by %s', async (who) => {
    const added = await as(who)('POST', '/accounts/acme/suffixes', { json: { suffix: 'api.example' } })
    expect([added.status, added.body.suffixes]).toEqual([200, ['api.example']])
    expect((await as(who)('GET', '/accounts/acme/suffixes')).body.items).toEqual([{ suffix: 'api.example' }])
    expect((await as(who)('DELETE', '/accounts/acme/suffixes/api.example')).body.suffixes).toEqual([])
  })

  test('are changed on the page by an owner alone', async () => {
    await owner.send('POST', '/a/acme/domains', { act: 'addSuffix', suffix: 'page.example' })
    expect((await owner.get('/a/acme/domains')).text).toContain('<code>page.example</code>')
    await owner.send('POST', '/a/acme/domains', { act: 'removeSuffix', suffix: 'page.example' })
    expect((await owner.get('/a/acme/domains')).text).not.toContain('page.example')
    await admin.send('POST', '/a/bold/domains', { act: 'addSuffix', suffix: 'mine.example' })
    expect((await box.run(['account', 'domains', 'bold'])).stdout).not.toContain('mine.example')
  })

  test.each(ofAccount)('are not changed by %s of the account', async (who) => {
    expect((await as(who)('POST', '/accounts/bold/suffixes', { json: { suffix: 'mine.example' } })).status).toBe(403)
    expect((await as(who)('DELETE', '/accounts/bold/suffixes/shared.dev')).status).toBe(403)
  })

  test.each(['co.uk', 'github.io', 'https://agency.example', '*.agency.example'])('are not %s', async (suffix) => {
    expect((await box.run(['account', 'domains', 'acme', '--add', suffix])).status).toBe(1)
  })
})

test('the audit log tells of names that are connected, let go and freed, and of suffixes', async () => {
  await applyHere('acme', 'noted.shared.dev')
  await applyHere('acme')
  await box.run(['domain', 'release', 'noted.shared.dev'])
  await box.run(['account', 'domains', 'acme', '--add', 'noted.example'])
  await box.run(['account', 'domains', 'acme', '--remove', 'noted.example'])
  const { body } = await as('an owner')('GET', '/audit?limit=5')
  const lines = body.items as { action: string; subject: string; before: unknown; after: unknown }[]
  expect(lines.map(({ action, subject, before, after }) => ({ action, subject, before, after }))).toEqual([
    {
      action: 'account.domains',
      subject: 'noted.example',
      before: null,
      after: { removed: 'noted.example', suffixes: [] },
    },
    {
      action: 'account.domains',
      subject: 'noted.example',
      before: null,
      after: { added: 'noted.example', suffixes: ['noted.example'] },
    },
    {
      action: 'domain.release',
      subject: 'noted.shared.dev',
      before: { reservedFor: 'acme', droppedAt: expect.any(String) },
      after: null,
    },
    {
      action: 'account.apply',
      subject: 'acme',
      before: null,
      after: expect.objectContaining({ dropped: ['noted.shared.dev'] }),
    },
    {
      action: 'account.apply',
      subject: 'acme',
      before: null,
      after: expect.objectContaining({ connected: ['noted.shared.dev'] }),
    },
  ])
})
