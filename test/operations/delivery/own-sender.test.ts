import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { type ASite, aSite, writeSite } from '../../harness/a-site.ts'
import { Box, boxStartMsMax } from '../../harness/box.ts'
import { formRequest, submissionIdOf } from '../../harness/capture-requests.ts'
import { TestMailServer } from '../../harness/mail-server.ts'

const deliveries = [{ name: 'sales', kind: 'mail', to: ['sales@acme.example'] }]
const site = (changes: Partial<ASite> = {}): ASite =>
  aSite({ deliveries, mail_from: 'Acme Studio <leads@acme.example>', ...changes })

let server: TestMailServer
let box: Box
beforeAll(async () => {
  server = await TestMailServer.start()
  box = await Box.start([], {
    mail: {
      ...{ host: '127.0.0.1', port: server.port, security: 'none', from: 'Agency <leads@agency.example>' },
      senders: ['@acme.example', 'hello@other.example'],
    },
    console: { host: 'console.agency.example' },
  })
  await box.apply(site())
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await server[Symbol.asyncDispose]()
})

async function refusalOf(mailFrom: string): Promise<string> {
  const folder = join(box.dir, 'refused')
  writeSite(folder, site({ mail_from: mailFrom }))
  const { status, stderr } = await box.run(['apply', folder, '--dry-run'])
  return status === 1 ? stderr : `exit status ${status}`
}

test('an account’s mail comes from its own sender, and its bounces go to the box', async () => {
  const id = submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@visitor.example' } })))
  const [received] = await server.mails(1)
  expect(received?.from).toBe('leads@agency.example')
  const mail = await PostalMime.parse(Buffer.from(received?.raw ?? '', 'latin1'))
  expect(mail.from).toMatchObject({ name: 'Acme Studio', address: 'leads@acme.example' })
  expect(mail.text).toContain('ada@visitor.example wrote to you')
  expect(mail.text).toContain(`//console.agency.example:${box.port}/a/acme/s/${id}`)
  expect(received?.raw).not.toMatch(/agency\.example>|capture/i)
})

test.each(['leads@sub.acme.example', 'leads@notacme.example', 'Bye <bye@other.example>'])(
  '%s, which the box does not allow, is a fault that says how to allow it',
  async (mailFrom) => {
    const refusal = await refusalOf(mailFrom)
    expect(refusal).toContain('site.toml:')
    expect(refusal).toContain(`senders = ["@${mailFrom.replace('>', '').split('@')[1]}"]`)
  },
)

test('a line break in the sender is a fault', async () => {
  expect(await refusalOf('Acme\r\nBcc: x@y.example <leads@acme.example>')).toContain('mail_from')
})

test('a sender that the box has allowed and does not any more is not used', async () => {
  const file = join(box.dir, 'capture.toml')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, before.replace(/senders = .*/, 'senders = []'))
  try {
    const { status } = await box.run(['delivery', 'test', 'acme', 'sales'])
    expect(status).toBe(0)
  } finally {
    writeFileSync(file, before)
  }
  const last = (await server.mails(2)).at(-1)
  const mail = await PostalMime.parse(Buffer.from(last?.raw ?? '', 'latin1'))
  expect(mail.from).toMatchObject({ name: 'The acme studio', address: 'leads@agency.example' })
})
