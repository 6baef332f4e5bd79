// `capture apply --to`: a folder is published to another box, with nothing but the console's address and a token.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Dirent, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { ApiClient } from '../harness/api-client.ts'
import { type Between, startBetween } from '../harness/between.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { type Ran, runCommand } from '../harness/capture-command.ts'
import { eventually } from '../harness/eventually.ts'
import { becomesLive } from '../harness/publishing.ts'

let box: Box
let token: string
let between: Between
/** A machine that has no box. */
const elsewhere = mkdtempSync(join(tmpdir(), 'capture-elsewhere-'))

beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  token = (await ApiClient.withToken(box, '--box', '--scope', 'publish')).token
  between = await startBetween(box.consolePort)
}, boxStartMsMax)
afterAll(async () => {
  between[Symbol.dispose]()
  rmSync(elsewhere, { recursive: true, force: true })
  await box.stop()
})

function folderOf(site: ASite): string {
  const folder = join(elsewhere, site.account)
  rmSync(folder, { recursive: true, force: true })
  writeSite(folder, site)
  return folder
}

/** Applies through what counts; tells how much was sent. */
async function applyTo(site: ASite, ...flags: string[]): Promise<Ran & { sentBytes: number }> {
  between.sentBytes = 0
  const argv = ['apply', folderOf(site), '--to', `http://127.0.0.1:${between.port}`, '--token', token, ...flags]
  const ran = await runCommand(argv, elsewhere)
  return { ...ran, sentBytes: between.sentBytes }
}

function changesIn({ stdout, stderr }: Ran): string[] {
  if (stdout === '') throw new Error(stderr)
  const { changes } = JSON.parse(stdout) as { changes: { kind: string; name: string }[] }
  return changes.map(({ kind, name }) => `${kind} ${name}`)
}

const leftovers = (): string[] => {
  const dir = join(box.dir, 'data', 'uploads')
  return existsSync(dir) ? readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap(fileName) : []
}

const fileName = (entry: Dirent): string[] => (entry.isFile() ? [entry.name] : [])

const wholeContents = (): number => leftovers().filter((name) => /^[0-9a-f]{64}$/.test(name)).length

/** Bytes that nothing compresses, the same for the same seed. */
function noise(bytes: number, seed: number): Uint8Array {
  const content = new Uint8Array(bytes)
  let state = seed
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    content[i] = state >> 16
  }
  return content
}

describe('a folder from elsewhere that takes something away', () => {
  const before = aSite({
    account: 'harmed',
    domains: ['go.harmed.test', 'old.harmed.test'],
    files: { 'pages/a.html': 'a' },
  })
  beforeAll(async () => {
    expect((await applyTo(before)).status).toBe(0)
  })
  const harmIn = ({ stdout }: Ran): object[] => JSON.parse(stdout).harm

  test('changes nothing without consent, and says which command consents', async () => {
    const fewer = { ...before, domains: ['go.harmed.test'] }
    const planned = await applyTo(fewer, '--json')
    expect([planned.status, harmIn(planned)]).toMatchObject([
      3,
      [{ kind: 'domain_offline', subject: 'old.harmed.test' }],
    ])
    const { status, stderr } = await applyTo(fewer)
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining(`--to http://127.0.0.1:${between.port} --accept domain_offline\``),
    ])
    expect((await applyTo(fewer, '--accept', 'domain_offline')).status).toBe(0)
  })

  test('is judged by every page that names a form, also by those that the box has not seen', async () => {
    const naming = {
      ...before,
      domains: ['go.harmed.test'],
      forms: [],
      files: { ...before.files, 'pages/new.html': '<form data-svc-form="contact1">' },
    }
    const gone = [{ kind: 'form_gone', subject: 'form contact1', count: 1 }]
    expect(harmIn(await applyTo(naming, '--prune', '--dry-run', '--json'))).toMatchObject(gone)
    const refused = await applyTo(naming, '--prune', '--json')
    expect([refused.status, harmIn(refused)]).toMatchObject([3, gone])
    expect((await applyTo(naming, '--prune', '--accept', 'form_gone')).status).toBe(0)
  })
})

describe('a folder from elsewhere', () => {
  const twin = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(600_000, 1)])
  const site = aSite({
    account: 'far',
    files: { 'pages/launch.html': '<p>Launch</p>', 'img/large.png': twin, 'files/twin.bin': twin },
  })

  test('is planned without a content being sent', async () => {
    const ran = await applyTo(site, '--dry-run', '--json')
    expect([ran.status, changesIn(ran)[0]]).toEqual([0, 'account far'])
    expect(ran.sentBytes).toBeLessThan(20_000)
    expect(await box.run(['account', 'show', 'far'])).toMatchObject({ status: 1 })
  })

  test('makes a new account, each content being sent once', async () => {
    const ran = await applyTo(site)
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toContain('far: ')
    expect(ran.sentBytes).toBeLessThan(700_000)
    const page = { method: 'GET', host: 'go.far.test', path: '/launch', headers: {}, body: null }
    await becomesLive(box, page, { status: 200, text: '<p>Launch</p>' })
  })

  test('changes nothing a second time, and sends no content', async () => {
    const ran = await applyTo(site, '--json')
    expect([ran.status, changesIn(ran)]).toEqual([0, []])
    expect(ran.sentBytes).toBeLessThan(20_000)
  })

  test('sends what has changed alone', async () => {
    const ran = await applyTo({ ...site, files: { ...site.files, 'pages/launch.html': '<p>Changed</p>' } }, '--json')
    expect([changesIn(ran), ran.sentBytes < 20_000]).toEqual([['page launch'], true])
  })

  test('is described as an apply on the box describes it', async () => {
    const described = { ...site, robots: 'noindex', files: { ...site.files, 'pages/launch.html': '<p>Described</p>' } }
    const there = await applyTo(described, '--dry-run')
    const here = await box.run(['apply', folderOf(described), '--dry-run'])
    expect([there.status, there.stdout, there.stderr]).toEqual([here.status, here.stdout, here.stderr])
    expect([there.stdout.includes('+<p>Described</p>'), there.sentBytes < 20_000]).toEqual([true, true])
    expect(leftovers()).toEqual([])
  })

  test('with faults fails with those that an apply on the box lists', async () => {
    const faulty = { ...site, domains: ['go.acme.test'] }
    const there = await applyTo(faulty)
    const here = await box.run(['apply', folderOf(faulty)])
    expect([there.status, there.stderr]).toEqual([1, here.stderr])
    expect(here.stderr).toContain('belongs to the account "acme"')
  })

  test.each([
    ['', 'far'],
    [' of a new account', 'broken'],
  ])('%s goes on when the connection breaks, and sends no content twice', async (_, account) => {
    const files = Object.fromEntries([2, 3, 4, 5, 6].map((seed) => [`img/${seed}.png`, noise(500_000, seed)]))
    between.takenBytesMax = 1_200_000
    const applying = applyTo(
      { ...site, account, domains: [`go.${account}.test`], files: { ...site.files, ...files } },
      '--json',
    )
    await eventually('two contents arrive', async () => wholeContents() >= 2)
    between.hangUp()
    const ran = await applying
    expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining('going on in 1 s')])
    expect(changesIn(ran).filter((change) => change.startsWith('image '))).not.toEqual([])
    // Five contents and what was cut; without what was kept a million more.
    expect(ran.sentBytes).toBeLessThan(account === 'far' ? 3_600_000 : 4_200_000)
    // The box may still be clearing up after the connection that broke.
    await eventually('nothing is left of what was sent', async () => leftovers().length === 0)
  })

  test('whose answer was lost gets it with the next try, what is shown once included', async () => {
    between.swallowsAnswerAfterBytes = 500_000
    const ran = await applyTo(aSite({ account: 'lost', files: { 'img/a.png': noise(600_000, 10) } }), '--json')
    between.swallowsAnswerAfterBytes = Number.POSITIVE_INFINITY
    expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining('The connection broke')])
    expect(changesIn(ran)).toContain('account lost')
  })

  test('brings along a secret of its own environment, which no later apply needs', async () => {
    const deliveries = [{ name: 'crm', kind: 'webhook', url: 'https://crm.example/', secret_env: 'CRM_SECRET' }]
    const { token } = await ApiClient.withToken(box, '--box', '--scope', 'publish,admin')
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const argv = ['apply', folderOf({ ...site, deliveries }), '--to', `http://localhost:${box.consolePort}`, '--json']
    const ran = await runCommand(argv, elsewhere, { CRM_SECRET: secret, CAPTURE_TOKEN: token })
    expect([ran.status, changesIn(ran)]).toEqual([0, expect.arrayContaining(['delivery crm'])])
    const client = await ApiClient.withToken(box, '--box', '--scope', 'read,publish')
    const zip = await client.call('GET', '/accounts/far/folder')
    const back = await client.call('POST', '/accounts/far/apply', zip.bytes, { 'content-type': 'application/zip' })
    expect([back.status, (back.json() as { changes: object[] }).changes]).toEqual([200, []])
  })
})

describe('the command', () => {
  const argv = (to: string, ...flags: string[]): string[] => ['apply', folderOf(aSite()), '--to', to, ...flags]
  const local = (): string => `http://localhost:${box.consolePort}`

  test('fails with 1 and a sentence on a token that the box does not know', async () => {
    const ran = await runCommand(argv(local(), '--token', `cap_${'x'.repeat(40)}`), elsewhere)
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([1, '', expect.stringContaining('does not know this token')])
  })

  test('fails with 1 on a token that may not publish', async () => {
    const reader = await ApiClient.withToken(box, '--account', 'acme', '--scope', 'read')
    const ran = await runCommand(argv(local(), '--token', reader.token), elsewhere)
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('scope "publish"')])
  })

  test.each([
    ['without a token', () => argv(local()), '--to needs a token'],
    ['over plain HTTP elsewhere', () => argv('http://console.agency.example', '--token', 'cap_x'), 'https://'],
    ['with a token and no address', () => ['apply', '.', '--token', 'cap_x'], '--token goes with --to'],
  ])('%s is wrong usage', async (_, argv, sentence) => {
    const ran = await runCommand(argv(), elsewhere)
    expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  test('says so when nobody answers', async () => {
    const ran = await runCommand(argv('http://127.0.0.1:1', '--token', 'cap_x'), elsewhere)
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('cannot be reached')])
  })
})

test('an image that is none is warned of once, whether or not the box has seen its bytes', async () => {
  const site = aSite({ files: { 'img/a.png': '<script>alert(1)</script>' } })
  for (const flags of [['--dry-run'], []]) {
    const { stderr } = await applyTo(site, ...flags)
    expect(stderr.match(/warning: img\/a\.png: is not a PNG image/g)).toHaveLength(1)
  }
})

test('what a page names and is not there is warned of once, whether or not the box has seen its bytes', async () => {
  const site = aSite({
    files: { 'pages/a.html': '<a href="/before">\n<a href="/nowhere/at/all">', 'pages/before.html': 'x' },
  })
  await applyTo(site, '--accept', 'all')
  const { 'pages/before.html': _, ...files } = site.files
  for (const flags of [['--dry-run'], ['--dry-run', '--strict'], []]) {
    const { stderr } = await applyTo(
      { ...site, files: { ...files, 'pages/b.html': '<img src="../img/x.png">' } },
      ...flags,
    )
    expect(stderr.match(/warning: .*/g)).toEqual([
      expect.stringContaining('pages/a.html:2: /nowhere/at/all: there is nothing'),
      expect.stringContaining('pages/b.html:1: ../img/x.png: there is nothing at /img/x.png'),
    ])
  }
})
