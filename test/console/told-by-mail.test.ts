// Who is told by mail when what visitors enter goes somewhere new (docs/api.md), with a real SMTP server.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { type ApiCalled, apiOf, newToken } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { type ReceivedMail, TestMailServer } from '../harness/mail-server.ts'
import { type ServerProcess, startServer } from '../harness/server-process.ts'
import { zipOf } from '../harness/zips.ts'

const hook = { name: 'crm', kind: 'webhook', url: 'https://crm.example/hooks/verysecretpath' }
const chat = { name: 'team', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secretpart' }
const sales = { name: 'sales', kind: 'mail', to: ['sales@acme.example'] }
const verifier = {
  provider: 'turnstile',
  sitekey: 'k',
  secret: 's',
  verify_url: 'https://verify.example/siteverify',
}

let mailServer: TestMailServer
let isMailRefused = false
let box: Box
/** Of the box after its first server was killed. */
let restarted: ServerProcess | null = null
const tokens = new Map<string, { token: string }>()
beforeAll(async () => {
  mailServer = await TestMailServer.start({ refuseMessage: () => (isMailRefused ? 451 : null) })
  const mail = { host: '127.0.0.1', port: mailServer.port, security: 'none', from: 'Agency <leads@agency.example>' }
  box = await Box.start([aSite(), aSite({ account: 'other' })], {
    console: { listen: '127.0.0.1:0' },
    mail,
  })
  const people = [
    ['owner@agency.example', '--owner'],
    ['admin@acme.example', '--account', 'acme', '--role', 'admin'],
    ['editor@acme.example', '--account', 'acme', '--role', 'editor'],
    ['admin@other.example', '--account', 'other', '--role', 'admin'],
  ]
  for (const argv of people) await new ConsoleVisitor(box).accept(await ConsoleVisitor.invite(box, argv))
  for (const account of ['acme', 'other'])
    tokens.set(account, await newToken(box, '--account', account, '--scope', 'publish,admin'))
}, boxStartMsMax)
afterAll(async () => {
  await restarted?.stop()
  await box?.stop().catch(() => {})
  await mailServer[Symbol.asyncDispose]()
})

function apply(sent: ASite): Promise<ApiCalled> {
  const folder = join(box.dir, 'sent', crypto.randomUUID())
  writeSite(folder, sent)
  const paths = ['site.toml', ...Object.keys(sent.files)]
  const content = zipOf(Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))])))
  const caller = apiOf(box, tokens.get(sent.account) ?? { token: '' })
  return caller('POST', `/accounts/${sent.account}/apply`, { text: { type: 'application/zip', content } })
}

const recipients = (mails: readonly ReceivedMail[]): string[] => mails.flatMap(({ to }) => to).sort()
const parsed = (mail: ReceivedMail | undefined) => PostalMime.parse(Buffer.from(mail?.raw ?? '', 'latin1'))
const adminsAndOwners = ['admin@acme.example', 'owner@agency.example']

describe('what goes somewhere new', () => {
  test('is mailed where the box has never delivered anything, to nobody of another account', async () => {
    expect((await apply(aSite({ account: 'other', bot_check: verifier }))).status).toBe(200)
    await mailServer.mails(2)
    expect(recipients(mailServer.received)).toEqual(['admin@other.example', 'owner@agency.example'])
  })

  test('by a command on the box is mailed to nobody, by an apply of a token once to each admin and owner', async () => {
    const before = mailServer.received.length
    await box.apply(aSite({ deliveries: [sales] }))
    expect((await apply(aSite({ deliveries: [sales, hook, chat] }))).status).toBe(200)
    const mails = (await mailServer.mails(before + 2)).slice(before)
    expect(recipients(mails)).toEqual(adminsAndOwners)
    const mail = await parsed(mails[0])
    expect(mail.subject).toBe('The acme studio: visitors’ data goes somewhere new')
    for (const text of [mail.text ?? '', mail.html ?? '']) {
      expect(text).toContain('crm.example/…')
      expect(text).toContain('hooks.slack.com/…')
      expect(text).toContain('the API token “test”')
      expect(text).toContain('capture delivery pause acme NAME')
      expect(text).not.toMatch(/secret|sales@/)
    }
  })

  test('stands in no list of deliveries, and in the overview without the paths of addresses', async () => {
    expect(JSON.parse((await box.run(['delivery', 'list', 'acme', '--json'])).stdout || '[]')).toEqual([])
    const owner = await ConsoleVisitor.owner(box)
    const { text } = await owner.get('/')
    expect(text).toContain('crm.example/…')
    expect(text).not.toContain('verysecretpath')
  })

  test('is mailed after the mail server took nothing and the service was killed', async () => {
    isMailRefused = true
    const before = mailServer.received.length
    expect((await apply(aSite({ deliveries: [sales, hook, chat], bot_check: verifier }))).status).toBe(200)
    await eventually('a mail was refused', async () => box.logged.some((line) => line.includes('could not be told')))
    process.kill(box.serverPid, 'SIGKILL')
    isMailRefused = false
    restarted = await startServer(join(box.dir, 'capture.toml'), box.dir)
    const mails = () => mailServer.received.slice(before)
    await eventually('everybody was told', async () => mails().length >= 3)
    expect(new Set(recipients(mails()).filter((to) => !to.startsWith('owner-')))).toEqual(new Set(adminsAndOwners))
    expect((await parsed(mails()[0])).text).toContain('to verify.example')
  })
})
