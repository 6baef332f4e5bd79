import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { aForm, aSite, writeSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { TestMailServer } from '../harness/mail-server.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { solvedBotCheck } from '../harness/solved-bot-check.ts'
import { pdf, tokenOf, uploadRequest } from '../harness/visitor-files.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { becomeNode, joins, leads } from './harness/cluster-node.ts'
import type { RunningServer } from './harness/program.ts'
import { getRequest } from './harness/requests.ts'

let postgres: Postgres
let store: string
let mails: TestMailServer
beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'capture-store-'))
  ;[postgres, mails] = await Promise.all([startPostgres(), TestMailServer.start()])
  await builtExecutable()
}, buildMsMax)
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), mails[Symbol.asyncDispose]()])
  rmSync(store, { recursive: true })
})

const ada = 'ada@visitor.example'
const confirm = { subject: 'Please confirm', text: 'Thank you for your interest.' }
const reply = { subject: 'Welcome', text: 'From now on you hear from us.' }

const consoleHost = 'console.agency.example'
const site = (page: string) =>
  aSite({
    files: { 'pages/launch.html': page },
    bot_check: { provider: 'altcha', sitekey: '', secret: '' },
    forms: [aForm({ bot_check: 'on', files: { cv: { types: ['pdf'], max: '1 MB' } }, confirm, reply })],
  })

const makeNode = async (node: string, url: string): Promise<BinaryBox> => {
  const box = await BinaryBox.make({
    mail: { host: '127.0.0.1', port: mails.port, security: 'none', from: 'Agency <leads@agency.example>' },
    server: { trusted_proxies: ['127.0.0.1'] },
    console: { host: consoleHost, listen: '127.0.0.1:0' },
  })
  becomeNode(box, { url, node, store: `file://${store}` })
  return box
}

const consolePortOf = async (server: RunningServer): Promise<number> =>
  Number((await server.says('stderr', /"Listening for the console\.".*?"port":(\d+)/))[1])

test('a follower answers for the console and the API, takes files for any node, and goes on when the leader dies', async () => {
  const url = await postgres.newDatabase()
  await using first = await makeNode('a', url)
  await using second = await makeNode('b', url)
  const leader = await first.serve()
  await eventually('the first leads', () => leads(first))
  await first.apply(site('Hello'))
  await joins(second, url)
  const follower = await second.serve()
  const consolePort = await consolePortOf(follower)
  const invited = JSON.parse(await first.done(['user', 'invite', 'ada@agency.example', '--owner', '--json']))
  const visitor = new ConsoleVisitor({ consolePort })
  await eventually('the follower knows who leads', async () => (await visitor.get('/sign-in')).status === 200)

  expect((await visitor.accept(invited.link)).status).toBe(200)
  expect((await visitor.get('/a/acme')).status).toBe(200)
  const typed = { email: 'ada@agency.example', password: 'wrong', code: '123456' }
  await follower.send({
    ...{ method: 'POST', host: consoleHost, path: '/sign-in', body: `${new URLSearchParams(typed)}` },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
    },
  })
  const tries = JSON.parse(await first.done(['audit', 'list', '--search', 'session.begin', '--json']))
  expect(tries[0]).toMatchObject({ outcome: 'refused', address: '203.0.113.9' })

  const args = ['--name', 'ci', '--account', 'acme', '--scope', 'publish', '--expires', '1d', '--json']
  const { token } = JSON.parse(await first.done(['token', 'create', ...args]))
  const folder = join(second.dir, 'sites/acme')
  writeSite(folder, site('Hello from the second'))
  await second.done(['apply', folder, '--to', `http://localhost:${consolePort}`, '--token', token, '--accept', 'all'])
  for (const server of [leader, follower])
    await eventually('both serve it', async () => (await server.send(getRequest('/launch'))).text.includes('second'))

  const check = await solvedBotCheck(`http://127.0.0.1:${follower.port}`, { host: 'go.acme.test' })
  const file = tokenOf(await follower.send(uploadRequest(pdf(), { check })))
  expect((await leader.send(uploadRequest(pdf(), { check }))).status).toBe(403)
  expect((await leader.send(formRequest({ fields: { email: ada, cv: file } }))).status).toBe(200)
  const [asked] = await mails.mails(1)
  const { text = '' } = await PostalMime.parse(Buffer.from(asked?.raw ?? '', 'latin1'))
  const [link = ''] = /\/_svc\/confirm\/\S+/.exec(text) ?? []
  const press = { method: 'POST', host: 'go.acme.test', path: link, headers: {}, body: '' }
  await eventually('the follower knows the submission', async () => (await follower.send(press)).status === 200)
  expect((await mails.mails(2))[1]?.raw).toContain('Subject: Welcome')

  const live = await fetch(`http://127.0.0.1:${consolePort}/a/acme/live?after=`, {
    headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: visitor.cookie },
  })
  expect([live.status, live.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  leader.signal('SIGKILL')
  await leader.ended()
  await live.text().catch(() => '')
  // Until it leads, which a machine that stalls may not be seen to wait for.
  await eventually('the second answers for itself', async () => {
    const { status, headers } = await visitor.get('/a/acme')
    if (status !== 200) expect([status, headers.get('refresh')]).toEqual([503, '3'])
    return status === 200
  })
  await eventually('it has the submission', async () => (await second.submissions()).length === 1)
  expect((await second.submissions())[0]).toMatchObject({
    files: [{ field: 'cv', name: 'cv.pdf' }],
    confirmedAt: expect.any(String),
  })
})
