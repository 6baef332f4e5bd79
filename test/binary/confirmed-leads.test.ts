// docs/confirmed-leads.md, with a real mail server and a real receiver.
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import PostalMime from 'postal-mime'
import { type ASite, aForm, aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { TestMailServer } from '../harness/mail-server.ts'
import { Receiver } from '../harness/receiver.ts'
import { humanToken, startVerificationServer } from '../harness/verification-server.ts'
import { BinaryBox } from './harness/binary-box.ts'
import type { RunningServer } from './harness/program.ts'

const ada = 'ada@visitor.example'
const confirm = { subject: 'Please confirm', text: 'Thank you for your interest.' }
const reply = { subject: 'Welcome', text: 'From now on you hear from us.' }

const verification = startVerificationServer()
afterAll(() => verification[Symbol.dispose]())

const boxWith = ({ port }: TestMailServer): Promise<BinaryBox> =>
  BinaryBox.make({
    mail: { host: '127.0.0.1', port, security: 'none', from: 'Agency <leads@agency.example>' },
    delivery: { allow_private: ['127.0.0.1/32'] },
  })

const site = (receiver: Receiver): ASite =>
  aSite({
    bot_check: { provider: 'turnstile', sitekey: 'k', secret: 's', verify_url: verification.url },
    forms: [aForm({ bot_check: 'on', consent_text_id: 'letter-1', confirm, reply })],
    deliveries: [{ name: 'letter', kind: 'webhook', url: receiver.url(), confirmed: true }],
  })

const submit = async (service: RunningServer): Promise<string> =>
  submissionIdOf(await service.send(formRequest({ fields: { email: ada, 'botcheck-response': humanToken } })))

/** The path of the link in the last mail. */
async function linkIn({ received }: TestMailServer): Promise<string> {
  const { text = '' } = await PostalMime.parse(Buffer.from(received.at(-1)?.raw ?? '', 'latin1'))
  return /^http:\/\/go\.acme\.test(?::\d+)?(\/_svc\/confirm\/\S+)$/m.exec(text)?.[1] ?? ''
}

const at = (service: RunningServer, method: string, path: string) =>
  service.send({ method, host: 'go.acme.test', path, headers: {}, body: method === 'POST' ? '' : null })

test('a visitor confirms by mail: then the delivery that waits is sent, once, and the reply; an erasure takes all of it', async () => {
  await using server = await TestMailServer.start()
  await using receiver = new Receiver()
  await using box = await boxWith(server)
  await box.apply(site(receiver))
  await using service = await box.serve()
  const id = await submit(service)
  const [asked] = await server.mails(1)
  expect(asked?.to).toEqual([ada])
  const link = await linkIn(server)
  for (const written of [ada, encodeURIComponent(ada), Buffer.from(ada).toString('base64url')])
    expect(link).not.toContain(written)

  for (const _scan of [1, 2]) expect(await at(service, 'GET', link)).toMatchObject({ status: 200 })
  expect((await box.submissions())[0]?.confirmedAt).toBeNull()
  expect(await at(service, 'GET', `${link}a`)).toMatchObject({ status: 404 })
  expect(await at(service, 'POST', link)).toMatchObject({ status: 200 })
  const [sent] = await receiver.got(1)
  expect(await at(service, 'POST', link)).toMatchObject({ status: 200 })
  const [, welcome] = await server.mails(2)
  expect(welcome?.raw).toContain('Subject: Welcome')

  const [{ confirmedAt = null } = {}] = await box.submissions()
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ data: { submissionId: id, confirmedAt } })
  expect(await box.done(['submission', 'show', 'acme', id])).toContain(`${confirmedAt} (UTC)`)
  expect(receiver.ids).toEqual([id])

  await box.done(['person', 'erase', 'acme', ada, '--yes'])
  for (const method of ['GET', 'POST']) expect(await at(service, method, link)).toMatchObject({ status: 410 })
  using database = new Database(box.databaseFile, { readonly: true })
  expect(database.query('SELECT 1 FROM ledger WHERE id = ?').all(id)).toEqual([])
})

test('a request to confirm and a confirmation survive a box that is killed before it has passed them on', async () => {
  await using server = await TestMailServer.start()
  await using receiver = new Receiver()
  await using box = await boxWith(server)
  await box.apply(site(receiver))
  const killed = async (work: (service: RunningServer) => Promise<unknown>) => {
    await using service = await box.serve()
    await work(service)
    service.signal('SIGKILL')
    await service.ended()
  }
  await box.done(['delivery', 'pause', 'acme', 'confirm:contact1'])
  await killed(async (service) => {
    await submit(service)
    await eventually('the request waits', async () => {
      using database = new Database(box.databaseFile, { readonly: true })
      return database.query("SELECT 1 FROM delivery WHERE state = 'waiting'").all().length === 1
    })
  })
  await box.done(['delivery', 'resume', 'acme', 'confirm:contact1'])
  await killed(async (service) => {
    await server.mails(1)
    const path = await linkIn(server)
    expect(await at(service, 'POST', path)).toMatchObject({ status: 200 })
  })
  await using _again = await box.serve()
  await receiver.got(1)
})
