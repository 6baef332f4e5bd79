// Why a delivery has not reached everybody, wherever it is shown; with a real SMTP server.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { TestMailServer } from '../harness/mail-server.ts'
import { Receiver } from '../harness/receiver.ts'
import { type ServerProcess, startServer } from '../harness/server-process.ts'
import { humanToken, startVerificationServer } from '../harness/verification-server.ts'

let box: Box
/** Of the box after its mail server was taken away. */
let restarted: ServerProcess | null = null
let owner: ConsoleVisitor
let mailServer: TestMailServer
let receiver: Receiver
let submission: string
const verification = startVerificationServer()
beforeAll(async () => {
  receiver = new Receiver({ answer: () => new Response('no', { status: 503 }) })
  mailServer = await TestMailServer.start({
    refuse: (recipient) => (recipient.startsWith('gone') ? 550 : recipient.startsWith('busy') ? 451 : null),
  })
  const deliveries = [
    { name: 'crm', kind: 'webhook', url: receiver.url() },
    { name: 'sales', kind: 'mail', to: ['sales@agency.example', 'gone@agency.example'] },
    { name: 'late', kind: 'mail', to: ['busy@agency.example'] },
    { name: 'both', kind: 'mail', to: ['sales@agency.example', 'busy@agency.example'] },
  ]
  const reply = { subject: 'Thanks', text: 'We write soon.' }
  const forms = [aForm(), aForm({ id: 'answer01', bot_check: 'on', reply })]
  const bot_check = { provider: 'turnstile', sitekey: 'k', secret: 's', verify_url: verification.url }
  box = await Box.start([aSite({ bot_check, forms, deliveries })], {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
    mail: { host: '127.0.0.1', port: mailServer.port, security: 'none', from: 'leads@agency.example' },
  })
  owner = await ConsoleVisitor.owner(box)
  submission = submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test' } })))
  await eventually('everything was tried', async () => (await rows()).filter((row) => row.attempts > 0).length === 4)
}, boxStartMsMax)
afterAll(async () => {
  await restarted?.stop()
  await box.stop().catch(() => {})
  await mailServer[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  verification[Symbol.dispose]()
})

interface Row {
  id: string
  destination: string
  state: string
  attempts: number
}

const rows = async (): Promise<Row[]> => JSON.parse((await owner.get('/api/v1/accounts/acme/deliveries')).text).items

const words = (text: string): string => text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

const log = async (): Promise<string> =>
  words((await owner.get('/a/acme/deliveries')).text.split('<h2>Log</h2>')[1] ?? '')

async function pageOf(name: string): Promise<string> {
  const row = (await rows()).find(({ destination }) => destination === name)
  return words((await owner.get(`/a/acme/deliveries/${row?.id}`)).text)
}

test('a mail that one recipient refused for good names the address, though others have it', async () => {
  const refused = /Accepted, but refused for good for gone@agency\.example \(550/
  expect(await log()).toMatch(new RegExp(`delivered ${refused.source}`))
  expect((await pageOf('sales')).match(new RegExp(refused, 'g'))).toHaveLength(2)
  expect(words((await owner.get(`/a/acme/s/${submission}`)).text)).toMatch(refused)
})

test('a mail that is still tried for one of several recipients has not reached everybody yet', async () => {
  expect(await pageOf('both')).toMatch(/Not delivered to everybody yet\. .* has not accepted busy@agency\.example/)
  expect(await pageOf('late')).toMatch(/Not delivered yet\. .* did not accept busy@agency\.example/)
})

test('a lead that is still being sent says so, and to whom, before its answers', async () => {
  const { text } = await owner.get(`/a/acme/s/${submission}`)
  expect(words(text)).toMatch(/[Tt]o late: trying again( in \d+ \w+)?\./)
  expect(text.indexOf('href="#deliveries"')).toBeLessThan(text.indexOf('<div class="card">'))
  expect(text.indexOf('id="notes"')).toBeLessThan(text.indexOf('id="deliveries"'))
})

test('a mail server says more than its number', async () => {
  expect(await log()).toMatch(/retrying next in \d+ \w+ · 127\.0\.0\.1:\d+ did not accept busy@agency\.example \(451/)
})

test('a webhook that was withdrawn after a try says so, and no longer what the try came to', async () => {
  expect(await log()).toContain('answered 503')
  await box.run(['submission', 'refuse', 'acme', submission])
  await eventually('it is withdrawn', async () => (await log()).includes('An operator refused the submission'))
  expect(await log()).not.toContain('answered 503')
  expect(await pageOf('crm')).toContain('· answered 503')
  expect(words((await owner.get(`/a/acme/s/${submission}`)).text)).not.toContain('Not delivered to')
})

test('a visitor who gets no reply is no receiver of the lead', async () => {
  const fields = { email: 'gone@visitor.example', 'botcheck-response': humanToken }
  const answered = submissionIdOf(await box.send(formRequest({ form: 'answer01', fields })))
  let text = ''
  await eventually('the reply is refused', async () => {
    text = words((await owner.get(`/a/acme/s/${answered}`)).text)
    return text.includes('gone@visitor.example (550') && text.includes('Not delivered to')
  })
  expect(text).toContain('Reply for Form answer01')
  expect(text).not.toMatch(/Not delivered to [^.]*reply/i)
})

test('a mail that was tried while there was a mail server keeps its tries', async () => {
  await box.send(formRequest({ fields: { email: 'grace@example.test' } }))
  let late: Row | undefined
  await eventually('the mail is tried', async () => {
    late = (await rows()).find((row) => row.destination === 'late' && row.state === 'waiting' && row.attempts > 0)
    return late !== undefined
  })
  process.kill(box.serverPid, 'SIGKILL')
  const config = join(box.dir, 'capture.toml')
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^host = .*$/m, 'host = ""'))
  restarted = await startServer(config, box.dir)
  const visitor = new ConsoleVisitor({ consolePort: restarted.consolePort ?? 0 })
  await visitor.accept(await ConsoleVisitor.invite(box, ['second@agency.example', '--owner']))
  const text = words((await visitor.get(`/a/acme/deliveries/${late?.id}`)).text)
  expect(text).toContain('waiting for mail setup')
  expect(text).toMatch(/Try 1 .* did not accept busy@agency\.example \(451/)
})
