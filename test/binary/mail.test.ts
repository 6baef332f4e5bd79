import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { type ASite, aForm, aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { TestMailServer } from '../harness/mail-server.ts'
import { makeTlsAuthority } from '../harness/tls-authority.ts'
import { humanToken, startVerificationServer } from '../harness/verification-server.ts'
import { BinaryBox } from './harness/binary-box.ts'

const authority = makeTlsAuthority()
const pair = authority.issue('IP:127.0.0.1')
const login = { user: 'box', password: 's3cret' }
const reply = { subject: 'We got your message', text: 'Thank you!\n\nWe answer within a day.' }

const verification = startVerificationServer()
afterAll(() => verification[Symbol.dispose]())

const inTheClear = ({ port }: TestMailServer) => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  from: 'Agency <leads@agency.example>',
})

const toSales = { name: 'sales', kind: 'mail', to: ['sales@acme.example'] }
const checkedBy = () => ({ provider: 'turnstile', sitekey: 'k', secret: 's', verify_url: verification.url })

const siteWithReply = (changes: Partial<ASite> = {}): ASite =>
  aSite({ bot_check: checkedBy(), forms: [aForm({ bot_check: 'on', reply })], ...changes })

const submission = (fields: Record<string, unknown>) =>
  formRequest({ fields: { ...fields, 'botcheck-response': humanToken } })

/** Deliveries to the destination, whatever has become of them. */
function rowsOf(box: BinaryBox, destination: string): number {
  using database = new Database(box.databaseFile, { readonly: true })
  const query = database.query<{ count: number }, [string]>(
    'SELECT count(*) AS count FROM delivery JOIN destination ON destination.row = destination_row WHERE name = ?',
  )
  return query.get(destination)?.count ?? 0
}

const parsed = (raw: string): Promise<Email> => PostalMime.parse(Buffer.from(raw, 'latin1'))

describe('a lead', () => {
  test('reaches its mailbox over STARTTLS and AUTH within seconds', async () => {
    await using server = await TestMailServer.start({ pair, login })
    const mail = { ...inTheClear(server), security: 'starttls', ...login, ca_file: 'root.pem' }
    await using box = await BinaryBox.make({ mail })
    writeFileSync(join(box.dir, 'root.pem'), authority.root)
    await box.apply(aSite({ deliveries: [toSales] }))
    await using service = await box.serve()
    const fields = { email: 'ada@visitor.example', message: 'Could you call me?' }
    const id = submissionIdOf(await service.send(formRequest({ fields })))
    const [received] = await server.mails(1)
    expect(received).toMatchObject({ to: ['sales@acme.example'], user: 'box', encrypted: true })
    const { from, replyTo, subject, messageId, text } = await parsed(received?.raw ?? '')
    expect(from).toMatchObject({ name: 'The acme studio', address: 'leads@agency.example' })
    expect(replyTo?.map(({ address }) => address)).toEqual(['ada@visitor.example'])
    expect(subject).toBe('Form contact1: ada@visitor.example: Could you call me?')
    expect(messageId).toBe(`<${id}.sales@agency.example>`)
    expect(text).toContain('Could you call me?')
  })

  test('is sent again under the same Message-ID by a box that was killed before it knew', async () => {
    const never = Promise.withResolvers<void>()
    let isFirst = true
    await using server = await TestMailServer.start({
      beforeTaken: async () => {
        if (!isFirst) return
        isFirst = false
        await never.promise
      },
    })
    await using box = await BinaryBox.make({ mail: inTheClear(server) })
    await box.apply(aSite({ deliveries: [toSales] }))
    {
      await using service = await box.serve()
      submissionIdOf(await service.send(formRequest()))
      await server.mails(1)
      service.signal('SIGKILL')
      await service.ended()
    }
    await using _again = await box.serve()
    const [first, second] = await server.mails(2)
    const idOf = async (mail = first) => (await parsed(mail?.raw ?? '')).messageId
    expect(await idOf(second)).toBe(await idOf(first))
    never.resolve()
  })
})

describe('a reply to the visitor', () => {
  test('goes to a person who passed the bot check, with the operator’s text alone', async () => {
    await using server = await TestMailServer.start()
    await using box = await BinaryBox.make({ mail: inTheClear(server) })
    await box.apply(siteWithReply())
    await using service = await box.serve()
    await service.send(submission({ email: 'ada@visitor.example', message: 'Buy pills at evil.example' }))
    const [received] = await server.mails(1)
    expect(received?.to).toEqual(['ada@visitor.example'])
    const mail = await parsed(received?.raw ?? '')
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
    expect(mail.subject).toBe('We got your message')
    expect(mail.text).toContain('We answer within a day.')
    expect(received?.raw).not.toContain('pills')
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-replied',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'list-unsubscribe': expect.stringMatching(/^<http:\/\/go\.acme\.test(?::\d+)?\/_svc\/u\/[\w.-]+>$/),
    })
  })

  test('is one in a day to an address, and none after the visitor has said no more', async () => {
    await using server = await TestMailServer.start()
    await using box = await BinaryBox.make({ mail: inTheClear(server) })
    const forms = ['contact1', 'contact2', 'contact3'].map((id) => aForm({ id, bot_check: 'on', reply }))
    await box.apply(siteWithReply({ forms }))
    await using service = await box.serve()
    const send = (form: string, email: string) =>
      service.send(formRequest({ form, fields: { email, 'botcheck-response': humanToken } }))
    await send('contact1', 'ada@visitor.example')
    const [received] = await server.mails(1)
    await send('contact1', 'ada@visitor.example')
    const unsubscribe = /<http:\/\/[^/]+(\/[^>]+)>/.exec(received?.raw.replace(/\r\n\s/g, '') ?? '')?.[1] ?? ''
    const at = (method: string, body: string | null = null) =>
      service.send({ method, host: 'go.acme.test', path: unsubscribe, headers: {}, body })
    expect(await at('GET')).toMatchObject({ status: 200, text: expect.stringContaining('<button>') })
    await send('contact2', 'ada@visitor.example')
    await server.mails(2)
    expect(await at('POST', 'List-Unsubscribe=One-Click')).toMatchObject({ status: 200 })
    await send('contact3', 'ada@visitor.example')
    await send('contact3', 'bob@visitor.example')
    const all = await server.mails(3)
    expect(all.map(({ to }) => to.join())).toEqual([
      'ada@visitor.example',
      'ada@visitor.example',
      'bob@visitor.example',
    ])
  })

  test('is given thirty times an hour by a form', async () => {
    await using server = await TestMailServer.start()
    await using box = await BinaryBox.make({ mail: inTheClear(server) })
    await box.apply(siteWithReply({ deliveries: [{ name: 'hook', kind: 'webhook', url: 'https://crm.example/' }] }))
    await using service = await box.serve()
    for (let visitor = 0; visitor < 34; visitor++) {
      submissionIdOf(await service.send(submission({ email: `visitor${visitor}@visitor.example` })))
    }
    await eventually('all are processed', async () => rowsOf(box, 'hook') === 34)
    expect(rowsOf(box, 'reply:contact1')).toBe(30)
    await server.mails(30)
  })

  test('is not sent again by a box that was killed while it sent it', async () => {
    const never = Promise.withResolvers<void>()
    await using server = await TestMailServer.start({ beforeTaken: () => never.promise })
    await using box = await BinaryBox.make({ mail: inTheClear(server) })
    await box.apply(siteWithReply({ deliveries: [toSales] }))
    {
      await using service = await box.serve()
      await service.send(submission({ email: 'ada@visitor.example' }))
      await server.mails(2)
      service.signal('SIGKILL')
      await service.ended()
    }
    never.resolve()
    await using service = await box.serve()
    await service.send(submission({ email: 'bob@visitor.example' }))
    const isHere = (who: string) => server.received.some(({ to }) => to.includes(who))
    await eventually('the next visitor has a reply', async () => isHere('bob@visitor.example'))
    expect(server.received.filter(({ to }) => to.includes('ada@visitor.example'))).toHaveLength(1)
  })

  test('is sent once at most, whenever the box is killed', async () => {
    await using server = await TestMailServer.start({ beforeTaken: () => Bun.sleep(Math.random() * 40) })
    await using box = await BinaryBox.make({ mail: inTheClear(server) })
    await box.apply(siteWithReply())
    const kills = 4
    for (let kill = 0; kill < kills; kill++) {
      await using service = await box.serve()
      for (const who of ['a', 'b', 'c']) await service.send(submission({ email: `${who}${kill}@visitor.example` }))
      await Bun.sleep(Math.random() * 400)
      service.signal('SIGKILL')
      await service.ended()
    }
    await using service = await box.serve()
    await service.send(submission({ email: 'last@visitor.example' }))
    await eventually('nothing waits', async () => {
      using database = new Database(box.databaseFile, { readonly: true })
      const waiting = database.query("SELECT 1 FROM delivery WHERE state = 'waiting'").all().length
      return waiting === 0 && server.received.some(({ to }) => to.includes('last@visitor.example'))
    })
    const reached = server.received.flatMap(({ to }) => to)
    expect(new Set(reached).size).toBe(reached.length)
  })

  test('is not sent for a form without a bot check, to an address that nobody reads, or to none', async () => {
    await using server = await TestMailServer.start()
    await using box = await BinaryBox.make({ mail: inTheClear(server) })
    const forms = [
      aForm({ id: 'nocheck1', bot_check: 'off', reply }),
      ...['nobody12', 'nameless'].map((id) => aForm({ id, bot_check: 'on', reply })),
    ]
    await box.apply(siteWithReply({ deliveries: [toSales], forms }))
    await using service = await box.serve()
    for (const [form, fields] of Object.entries({
      nocheck1: { email: 'ada@visitor.example' },
      nobody12: { email: 'no-reply@visitor.example' },
      nameless: { name: 'Ada' },
    }))
      submissionIdOf(await service.send(formRequest({ form, fields: { ...fields, 'botcheck-response': humanToken } })))
    await server.mails(forms.length)
    // What a submission leads to is written in one transaction: beside the mails there is nothing.
    expect(rowsOf(box, 'sales')).toBe(forms.length)
    expect(forms.filter(({ id }) => rowsOf(box, `reply:${id}`) > 0)).toEqual([])
  })
})
