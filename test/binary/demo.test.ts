import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SubmissionRecord } from '../../src/report/record.ts'
import { bareEnvironment } from '../harness/capture-command.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { solvedBotCheck } from '../harness/solved-bot-check.ts'
import { RunningProgram } from './harness/program.ts'

// The demo as somebody new meets it: in an empty folder that holds nothing but ./capture.

let folder = ''
/** One that runs for all tests that only look at it. */
let shown: { demo: RunningProgram; folder: string }

async function emptyFolder(): Promise<string> {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'capture-demo-')))
  symlinkSync(await builtExecutable(), join(made, 'capture'))
  return made
}

beforeAll(async () => {
  folder = await emptyFolder()
  shown = { folder, demo: startDemo() }
}, buildMsMax)

afterAll(async () => {
  await shown.demo[Symbol.asyncDispose]()
  rmSync(shown.folder, { recursive: true, force: true })
})

beforeEach(async () => {
  folder = await emptyFolder()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const startDemo = (cwd = folder) =>
  new RunningProgram(['serve', '--demo'], { executable: join(folder, 'capture'), cwd })

const landingPage = (demo: RunningProgram) => demo.says('stdout', /Landing page +(http:\/\/127\.0\.0\.1:(\d+)\/\S+)/)

test('its landing page, tracked link, image, file and stylesheets answer at the addresses it prints', async () => {
  const { demo } = shown
  const [, address = '', port] = await landingPage(demo)
  const [, link = ''] = await demo.says('stdout', /Tracked link +(\S+)/)
  expect((await fetch(address)).status).toBe(200)
  expect((await fetch(`http://localhost:${port}${new URL(address).pathname}`)).status).toBe(200)
  const clicked = await fetch(link, { redirect: 'manual' })
  expect(clicked.status).toBe(302)
  expect(clicked.headers.get('location')).toStartWith(`${address}?utm_source=`)
  const page = await (await fetch(address)).text()
  const linked = [...page.matchAll(/(?:src|href)="((?:\/_svc|\.\.\/assets)\/[^"]+)"/g)].map(([, path]) => path)
  expect(linked.length).toBeGreaterThan(2)
  for (const path of linked) expect([path, (await fetch(new URL(path ?? '', address))).status]).toEqual([path, 200])
})

test('a form sent on its landing page is shown, and read by the export line exactly as printed', async () => {
  await using demo = startDemo()
  const [, address = ''] = await landingPage(demo)
  const submissionId = await submit(address, 'ada@example.test')
  await demo.says('stdout', /submission +form neapform: ada@example\.test/)
  const [, line = ''] = await demo.says('stdout', /^ *(\.\/capture export demo submissions .+)$/m)
  expect((await exported(line)).map((record) => record.submissionId)).toEqual([submissionId])
})

test('Ctrl-C ends it well, and the next start in the folder finds its records', async () => {
  const first = startDemo()
  const [, before = ''] = await landingPage(first)
  const kept = await submit(before, 'ada@example.test')
  first.signal('SIGINT')
  expect(await first.ended()).toEqual({ status: 0, signal: null })

  await using second = startDemo()
  const [, after = ''] = await landingPage(second)
  const added = await submit(after, 'bea@example.test')
  const [, line = ''] = await second.says('stdout', /^ *(\.\/capture export demo submissions .+)$/m)
  expect((await exported(line)).map((record) => record.submissionId)).toEqual([kept, added])
})

test('with its port taken it answers on the next free one', async () => {
  using _other = occupyFirstPort()
  await using demo = startDemo()
  const [, address = '', port] = await landingPage(demo)
  expect(Number(port)).toBeGreaterThan(8080)
  expect(await (await fetch(address)).text()).toContain('data-svc-form')
})

test('two that start at once in two folders each get a port of their own', async () => {
  const others = ['one', 'two'].map((name) => join(folder, name))
  for (const other of others) mkdirSync(other)
  await using one = startDemo(others[0])
  await using two = startDemo(others[1])
  const ports = [(await landingPage(one))[2], (await landingPage(two))[2]]
  expect(new Set(ports).size).toBe(2)
})

test('a second one in the same folder says that one is running, and leaves it as it is', async () => {
  const { demo: first, folder } = shown
  const [, address = ''] = await landingPage(first)
  const configBefore = await Bun.file(join(folder, 'capture-demo/capture.toml')).text()
  const second = startDemo(folder)
  expect((await second.ended()).status).toBe(1)
  expect(second.stderr).toContain(`already running in ${join(folder, 'capture-demo')} (process ${first.pid}`)
  expect(second.stderr).toContain('another folder')
  expect(await Bun.file(join(folder, 'capture-demo/capture.toml')).text()).toBe(configBefore)
  expect((await fetch(address)).status).toBe(200)
})

test('its form wants a bot check', async () => {
  const { demo } = shown
  const [, address = ''] = await landingPage(demo)
  const { origin } = new URL(address)
  const answer = await fetch(`${origin}/_svc/f/neapform`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ name: 'Robot', email: 'robot@example.test', consent: 'yes' }),
  })
  expect(answer.status).toBe(403)
  await demo.says('stdout', /refused +bot check, form neapform: robot@example\.test/)
})

const testPage = (demo: RunningProgram) => demo.says('stdout', /Test page +(http:\/\/127\.0\.0\.1:(\d+)\/\S+)/)

test('its signed test page answers at the address it prints, and on the preview host', async () => {
  const { demo } = shown
  const [, address = '', port = ''] = await testPage(demo)
  const here = await fetch(address)
  expect([here.status, here.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
  const { pathname, search } = new URL(address)
  expect(await here.text()).toContain(`"thirdPartyUrl":"http://preview.localhost:${port}${pathname}${search}"`)
  const there = await fetch(address, { headers: { host: `preview.localhost:${port}` } })
  expect([there.status, (await there.text()).includes('"thirdPartyUrl":null')]).toEqual([200, true])
})

test('on its connected domains every other preview address is 404, and a test page that was not signed 403', async () => {
  const { demo } = shown
  const [, address = '', port] = await testPage(demo)
  const { origin, pathname, search } = new URL(address)
  const statuses = [
    `${origin}${pathname}`,
    `${origin}${pathname}${search}x`,
    `${origin}/_preview/abcdefgh${search}`,
    `http://localhost:${port}${pathname}${search}`,
  ].map(async (url) => (await fetch(url)).status)
  expect(await Promise.all(statuses)).toEqual([403, 403, 404, 404])
})

test('it prints a link that opens the console as its owner', async () => {
  const { demo } = shown
  const [, link = ''] = await demo.says('stdout', /Console +(http:\/\/localhost:\d+\/invitation\/\w+)\s/)
  // Of the default port a service lets go: the link would lead to another demo's console.
  expect(new URL(link).port).not.toBe('8081')
  const page = await fetch(link.replace('localhost', '127.0.0.1'), { headers: { host: 'localhost' } })
  expect([page.status, (await page.text()).includes('Welcome to Capture')]).toEqual([200, true])
})

test('every address it prints begins with 127.0.0.1, but the console’s: passkeys need a name', async () => {
  const { demo } = shown
  await demo.says('stdout', /Captured from now on/)
  const printed = demo.stdout.match(/https?:\/\/[^/\s]+\//g) ?? []
  expect(printed.length).toBeGreaterThanOrEqual(3)
  const others = printed.filter((start) => !start.startsWith('http://127.0.0.1:'))
  expect(others).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+\/$/)])
})

test('what its test page sends is a test, and not in the export', async () => {
  await using demo = startDemo()
  const [, address = '', port] = await testPage(demo)
  const { origin } = new URL(address)
  const answer = await fetch(`${origin}/_svc/f/neapform`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://preview.localhost:${port}` },
    body: JSON.stringify({ email: 'test@example.test', 'botcheck-response': await solvedBotCheck(origin) }),
  })
  expect(answer.status).toBe(200)
  await demo.says('stdout', /submission +form neapform: test@example\.test.*\(test page\)/)
  const kept = await submit(origin + '/open-press', 'ada@example.test')
  const [, line = ''] = await demo.says('stdout', /^ *(\.\/capture export demo submissions .+)$/m)
  expect((await exported(line)).map((record) => record.submissionId)).toEqual([kept])
})

/** What the client script does: the page's own form id, from the page's own origin. */
async function submit(address: string, email: string): Promise<string> {
  const page = await (await fetch(address)).text()
  const form = /data-svc-form="([a-z0-9]{8})"/.exec(page)?.[1]
  const { origin } = new URL(address)
  const answer = await fetch(`${origin}/_svc/f/${form}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({
      name: 'Ada',
      email,
      consent: 'yes',
      'botcheck-response': await solvedBotCheck(origin),
    }),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { submissionId: string }).submissionId
}

/** Runs a printed line in a shell, in the folder where it was printed. */
async function exported(line: string): Promise<SubmissionRecord[]> {
  const child = Bun.spawn(['sh', '-c', line], { cwd: folder, env: bareEnvironment(), stdout: 'pipe', stderr: 'pipe' })
  const [text, complaints, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (status !== 0) throw new Error(`${line}\nended with ${status}: ${complaints}`)
  return text
    .trim()
    .split('\n')
    .map((record) => JSON.parse(record) as SubmissionRecord)
}

/** Makes sure that somebody has 8080: us, or whoever has it already. */
function occupyFirstPort(): Disposable {
  try {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 8080, fetch: () => new Response('another program') })
    return { [Symbol.dispose]: () => void server.stop(true) }
  } catch {
    return { [Symbol.dispose]: () => {} }
  }
}

test('it begins with a fortnight of made-up leads, each of which says so, and the next start adds none', async () => {
  const madeUp = async () => {
    await using demo = startDemo()
    const [, line = ''] = await demo.says('stdout', /^ *(\.\/capture export demo submissions .+)$/m)
    return exported(line.replace(/ --since \S+/, ''))
  }
  const leads = await madeUp()
  expect(leads.length).toBeGreaterThan(20)
  expect(leads.map(({ fields }) => fields.made_up)).toEqual(leads.map(() => 'yes'))
  const ages = leads.map(({ receivedAt }) => (Date.now() - Date.parse(receivedAt)) / 86_400_000)
  expect(Math.max(...ages)).toBeWithin(10, 14)
  // By their ids: the first export may come before the visits that led to them are worked out.
  const ids = (records: SubmissionRecord[]) => records.map(({ submissionId }) => submissionId)
  expect(ids(await madeUp())).toEqual(ids(leads))
})
