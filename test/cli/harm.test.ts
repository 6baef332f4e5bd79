// What an apply takes away from visitors or loses: the plan says so first, and nothing happens without consent.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Harm, HarmKind } from '../../src/site/harm.ts'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { bareEnvironment, type Ran } from '../harness/capture-command.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { builtExecutable } from '../harness/executable.ts'
import type { Sent } from '../harness/http.ts'
import { becomesLive } from '../harness/publishing.ts'
import { visit } from '../harness/visits.ts'

const page = '<form data-svc-form="contact1"></form>'
const site = aSite({
  domains: ['go.acme.test', 'start.acme.test'],
  home: 'launch',
  files: { 'pages/launch.html': page, 'pages/thanks.html': 'thanks', 'pages/other.html': 'other' },
  deliveries: [{ name: 'crm', kind: 'webhook', url: 'https://crm.example.com/hook' }],
})

let box: Box
beforeAll(async () => {
  box = await Box.start([site])
  expect((await box.run(['delivery', 'pause', 'acme', 'crm'])).status).toBe(0)
  for (const host of ['go.acme.test', 'go.acme.test', 'start.acme.test'])
    expect((await box.send(visit('/launch', { host }))).status).toBe(200)
  expect((await box.send(formRequest())).status).toBe(200)
  expect((await box.send(eventRequest())).status).toBe(202)
}, boxStartMsMax)
afterAll(() => box.stop())

function apply(changed: Partial<ASite>, ...flags: string[]): Promise<Ran> {
  return box.run(['apply', folderOf(changed), '--prune', ...flags])
}

function folderOf(changed: Partial<ASite>): string {
  const folder = join(box.dir, 'sites', 'acme')
  rmSync(folder, { recursive: true, force: true })
  writeSite(folder, { ...site, ...changed })
  return folder
}

async function harmOf(changed: Partial<ASite>, ...flags: string[]): Promise<Harm[]> {
  const { status, stdout, stderr } = await apply(changed, '--dry-run', '--json', ...flags)
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout).harm
}

const renamed = { 'pages/start.html': page, 'pages/thanks.html': 'thanks', 'pages/other.html': 'other' }
const otherKey = { tracking: { key: `svc_tk_${'k'.repeat(32)}` } }

interface Accident {
  changed: Partial<ASite>
  /** What visitors and their pages do, and how the box answers it without the folder, and with it. */
  sent: Sent
  before: number
  after: number
  harm: Omit<Harm, 'message'>
  says: string
}

const accidents: [HarmKind, Accident][] = [
  [
    'domain_offline',
    {
      changed: { domains: ['go.acme.test'] },
      sent: visit('/other', { host: 'start.acme.test' }),
      before: 200,
      after: 404,
      harm: { kind: 'domain_offline', subject: 'start.acme.test', count: 1 },
      says: 'Keep it in domains',
    },
  ],
  [
    'page_offline',
    {
      changed: { home: 'start', files: renamed },
      sent: visit('/launch'),
      before: 200,
      after: 404,
      harm: { kind: 'page_offline', subject: 'go.acme.test/launch', count: 3 },
      says: '[[redirects]]\nfrom = "/launch"\nto = "/start"\n',
    },
  ],
  [
    'form_gone',
    {
      changed: { forms: [] },
      sent: formRequest({ fields: { again: true } }),
      before: 200,
      after: 404,
      harm: { kind: 'form_gone', subject: 'form contact1', count: 1 },
      says: '1 live page still has it: launch',
    },
  ],
  [
    'tracking_key_replaced',
    {
      changed: otherKey,
      sent: eventRequest(),
      before: 202,
      after: 403,
      harm: { kind: 'tracking_key_replaced', subject: 'tracking key', count: 1 },
      says: 'capture key rotate acme --overlap 7d',
    },
  ],
]

describe.each(accidents)('an accident: %s', (kind, { changed, sent, before, after, harm, says }) => {
  test('is named before it happens, with what it costs and what to do instead', async () => {
    await eventually('the records are counted', async () => {
      const [found] = await harmOf(changed)
      return found !== undefined && found.count >= harm.count
    })
    const found = await harmOf(changed)
    expect(found).toMatchObject([{ kind, subject: harm.subject }])
    expect(found[0]?.message).toContain(says)
  })

  test('changes nothing without consent, and happens with it', async () => {
    const { status, stderr } = await apply(changed, '--accept', 'deliveries_lost')
    expect([status, stderr]).toEqual([3, expect.stringContaining(`--prune --accept ${kind}\``)])
    expect((await box.send(sent)).status).toBe(before)
    expect((await apply(changed, '--accept', kind)).status).toBe(0)
    await becomesLive(box, sent, { status: after })
    expect((await apply({}, '--accept', 'all')).status).toBe(0)
    await becomesLive(box, sent, { status: before })
  })
})

test('a page that others redirect to is not missed', async () => {
  const redirects = [{ from: '/launch', to: '/start' }]
  expect(await harmOf({ home: 'start', files: renamed, redirects })).toEqual([])
})

test('a home page that nobody names any more leaves "/" empty', async () => {
  const folder = folderOf({})
  const toml = join(folder, 'site.toml')
  writeFileSync(toml, readFileSync(toml, 'utf8').replace('home = "launch"', ''))
  const { stdout } = await box.run(['apply', folder, '--dry-run', '--json'])
  expect(JSON.parse(stdout).harm).toMatchObject([{ kind: 'page_offline', subject: 'go.acme.test/' }])
})

test('deliveries that wait are lost with their destination alone', async () => {
  await eventually('a delivery waits', async () => (await harmOf({ deliveries: [] })).length > 0)
  const lost = { kind: 'deliveries_lost', subject: 'delivery crm' }
  expect(await harmOf({ deliveries: [] })).toMatchObject([lost])
  expect(await harmOf({ deliveries: [{ name: 'crm', kind: 'mail', to: ['crm@acme.test'] }] })).toMatchObject([lost])
  const moved = [{ name: 'crm', kind: 'webhook', url: 'https://crm.example.com/new' }]
  expect(await harmOf({ deliveries: moved })).toEqual([])
})

test('what somebody did on the box is undone with consent alone', async () => {
  expect((await box.run(['page', 'unpublish', 'acme', 'other'])).status).toBe(0)
  const { status, stdout } = await apply({}, '--json')
  const { harm }: { harm: Harm[] } = JSON.parse(stdout)
  expect([status, harm]).toMatchObject([3, [{ kind: 'changed_here', subject: 'page other', count: 1 }]])
  expect(harm[0]?.message).toMatch(/changed on 20.* by .* \(command\)/)
  expect((await apply({}, '--accept', 'changed_here')).status).toBe(0)
  expect(await harmOf({})).toEqual([])
})

test('a refused plan says what a dry run says of records and of names', async () => {
  const changed = { ...otherKey, domains: [...site.domains, 'new.acme.test'], retention: { submissions: '90d' } }
  const { status, stdout, stderr } = await apply(changed)
  expect([status, stderr]).toEqual([3, expect.stringContaining('harm: tracking_key_replaced')])
  expect(stdout).toContain('not published')
  expect(stdout).toContain('retention: no submissions are due before')
  expect(stdout.split('DNS records to set')[1]).toContain('new.acme.test')
  const { retention } = JSON.parse((await apply(changed, '--json')).stdout)
  expect(retention).toEqual(JSON.parse((await apply(changed, '--json', '--dry-run')).stdout).retention)
  expect(retention).toMatchObject({ submissions: { due: 0 } })
})

test('the command that consents can be pasted, whatever the folder is called', async () => {
  const folder = join(box.dir, 'sites', "acme's site")
  writeSite(folder, { ...site, ...otherKey })
  const { stderr } = await box.run(['apply', folder])
  expect(stderr).toContain(`\`capture apply '${folder.replace("'", "'\\''")}' --accept tracking_key_replaced\``)
})

test('consent to what does not exist is wrong usage', async () => {
  const { status, stderr } = await apply({}, '--accept', 'everything')
  expect([status, stderr]).toEqual([2, expect.stringContaining('domain_offline, page_offline')])
})

describe('on a terminal', () => {
  /** Types the answer once it is asked for. */
  async function answered(changed: Partial<ASite>, answer: string): Promise<{ status: number; shown: string }> {
    let shown = ''
    const argv = ['apply', folderOf(changed), '--prune', '--config', join(box.dir, 'capture.toml')]
    const child = Bun.spawn([await builtExecutable(), ...argv], {
      cwd: box.dir,
      env: bareEnvironment(),
      terminal: {
        cols: 100,
        data(terminal, bytes) {
          shown += new TextDecoder().decode(bytes)
          if (shown.endsWith('Type yes: ')) terminal.write(answer)
        },
      },
    })
    return { status: await child.exited, shown }
  }

  test('whoever types is asked, and anything but yes changes nothing', async () => {
    const { status, shown } = await answered({ domains: ['go.acme.test'] }, 'y\n')
    expect([status, shown]).toEqual([3, expect.stringContaining('harm: domain_offline start.acme.test: ')])
    expect(shown).toContain('Nothing was changed.')
    expect((await box.send(visit('/other', { host: 'start.acme.test' }))).status).toBe(200)
  })

  test('the question stands below the whole plan, and nothing is said twice', async () => {
    const files = { ...site.files, 'pages/thanks.html': 'Thanks!<a href="/nowhere">', 'pages/.notes': 'no page' }
    const { status, shown } = await answered({ ...otherKey, files }, 'yes\n')
    const [plan, result] = shown.split('Publish all the same?')
    expect(plan).toContain('+Thanks!<a href="/nowhere">')
    expect([status, result]).toEqual([0, expect.stringContaining('; published.')])
    for (const once of ['skipped: pages/.notes', 'warning: pages/thanks.html:1', 'harm: tracking_key_', '+Thanks!'])
      expect([once, shown.split(once).length - 1]).toEqual([once, 1])
  })

  test('yes publishes what was shown', async () => {
    const { status, shown } = await answered({ domains: ['go.acme.test'] }, 'yes\n')
    expect([status, shown]).toEqual([0, expect.stringContaining('published')])
    await becomesLive(box, visit('/other', { host: 'start.acme.test' }), { status: 404 })
  })
})
