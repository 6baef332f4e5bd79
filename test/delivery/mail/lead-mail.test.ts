import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import PostalMime, { type Email } from 'postal-mime'
import type { Lead } from '../../../src/delivery/lead.ts'
import { leadMail } from '../../../src/delivery/mail/lead-mail.ts'
import { encodedMail } from '../../../src/delivery/mail/mail.ts'
import { textsOf } from '../../../src/language/language.ts'
import { languages } from '../../../src/language/languages.ts'
import { aLead, aMailDestination, aRecord, leads } from '../a-lead.ts'
import { hostileValues } from '../hostile-values.ts'

const sender = { name: null, address: 'leads@agency.example' }
const mailOf = (...of: Lead[]) => leadMail(of, { destination: aMailDestination(), sender, further: 0 })
const wireOf = async (...of: Lead[]) => (await encodedMail(mailOf(...of))).toString('latin1')
const parsed = async (...of: Lead[]): Promise<Email> => PostalMime.parse(await encodedMail(mailOf(...of)))

describe('a mail about one lead', () => {
  test('comes from the account, by the address of the box, and is answered to the visitor', async () => {
    const mail = await parsed(aLead())
    expect(mail.from).toMatchObject({ name: 'Acme Studio', address: 'leads@agency.example' })
    expect(mail.to?.map(({ address }) => address)).toEqual(['sales@acme.example', 'team@acme.example'])
    expect(mail.replyTo?.map(({ address }) => address)).toEqual(['ada@visitor.example'])
  })

  test('has the form and the visitor’s words for a subject', () => {
    expect(mailOf(aLead()).subject).toBe('Contact: Ada Lovelace: Good morning, we would like a quote.')
  })

  test('names itself by the submission and the destination', () => {
    expect(mailOf(aLead()).messageId).toBe('<019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90.sales@agency.example>')
  })

  test('says that a program sent it', async () => {
    const headers = (await parsed(aLead())).headers.map(({ key, value }) => `${key}: ${value}`)
    expect(headers).toContain('auto-submitted: auto-generated')
    expect(headers).toContain('x-auto-response-suppress: All')
  })

  test('tells the fields in their order, where they came from and how to find it', () => {
    expect(mailOf(aLead()).text).toBe(`Ada Lovelace wrote to you

Acme Studio · Contact

Name
  Ada Lovelace

Email
  ada@visitor.example

Company size
  11 to 50

Message
  Good morning,

  we would like a quote.

Received: 22 November 2026, 09:15 CET
Page: go.acme.example/launch
Source: google / organic, campaign spring
Open this message: https://console.agency.example/a/acme/s/019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90

----------------------------------------
Reply to this email to write to Ada Lovelace.
Sent from go.acme.example, delivery “sales”.

`)
  })

  test('says the same in HTML', async () => {
    const { html = '' } = await parsed(aLead())
    for (const text of [
      'Company size',
      '11 to 50',
      'Good morning,<br>',
      'google / organic',
      'Reply to this email',
      'href="https://console.agency.example/a/acme/s/',
    ])
      expect(html).toContain(text)
  })

  test('has an address to answer only where mail can go to it', async () => {
    const mail = await parsed(aLead({ replyTo: 'jürgen@visitor.example' }))
    expect(mail.replyTo).toBeUndefined()
    expect(mail.text).toContain('The visitor left no address to reply to.')
  })

  test.each([
    ['a test', aRecord({ test: true }), 'This is a test. Nobody sent it.'],
    ['a released one', aRecord({ refusedFor: 'honeypot' }), 'released by hand'],
    ['one from before the delivery', aRecord(), 'arrived before this delivery was set up'],
  ])('says of %s what it is', (_, record, words) => {
    const mail = mailOf(aLead({ record, isBackfilled: words.includes('before') }))
    expect(mail.text).toContain(words)
    expect(mail.html).toContain(words)
  })

  test('shows a page of another site by its address', () => {
    const record = aRecord({
      page: null,
      source: { host: 'go.acme.example', referer: 'https://www.acme.example/shop' },
    })
    expect(mailOf(aLead({ record })).text).toContain('Page: www.acme.example/shop')
  })

  test('counts the fields that no form would have', () => {
    const fields = Array.from({ length: 300 }, (_, index) => ({ name: `field${index}`, value: 'x' }))
    expect(mailOf(aLead({ fields })).text).toContain('… and 100 more fields')
  })
})

describe('a mail about several leads', () => {
  test('says how many, shows each, and is answered to none of them', async () => {
    const mail = await parsed(...leads(3))
    expect(mail.subject).toBe('Contact: 3 new messages')
    expect(mail.replyTo).toBeUndefined()
    for (const who of ['Visitor 0', 'Visitor 1', 'Visitor 2']) expect(mail.text).toContain(who)
  })

  test('shows a hundred in full, each with its link, and counts those that wait for the next mail', () => {
    const long = 'Words and words. '.repeat(100).trim()
    const of = leads(100).map((lead, index) => ({
      ...lead,
      fields: [...lead.fields, { name: 'message', value: `${index} ${long}` }],
    }))
    const { text, html } = leadMail(of, { destination: aMailDestination(), sender, further: 42 })
    for (const body of [text, html]) {
      for (const index of of.keys()) expect(body).toContain(`${index} ${long}`)
      expect(body.split('https://console.agency.example/a/acme/s/')).toHaveLength(101)
      expect(body).toContain('42 more messages follow in the next emails.')
    }
  })

  test('has another name than each of them, and than others of as many', () => {
    const [one, two, three] = leads(3)
    if (one === undefined || two === undefined || three === undefined) throw new Error('three leads')
    const names = [[one], [one, two], [one, three], [one, two, three]].map((of) => mailOf(...of).messageId)
    expect(new Set(names).size).toBe(4)
    expect(mailOf(one, two).messageId).toBe(mailOf(one, two).messageId)
  })
})

describe('a mail about leads', () => {
  test('comes from whom the account names', async () => {
    const from = { name: 'Acme, "Studio" ☕', address: 'leads@acme.example' }
    const mail = leadMail([aLead()], { destination: aMailDestination(), sender: from, further: 0 })
    expect((await PostalMime.parse(await encodedMail(mail))).from).toMatchObject(from)
  })

  test('names no program and no command, unless the account gives credit', () => {
    const plain = mailOf(aLead(), ...leads(2))
    for (const body of [plain.text, plain.html]) expect(body).not.toMatch(/capture/i)
    expect(mailOf(aLead({ credit: true })).text).toContain('Sent with Capture.')
    expect(mailOf(aLead({ credit: true })).html).toContain('Sent with Capture.')
  })

  test.each(languages)('is in the language of the account: %s', (language) => {
    const mail = mailOf(aLead({ language, record: aRecord({ test: true }) }))
    const words = textsOf(language).leadMail
    for (const body of [mail.text, mail.html])
      for (const text of [words.test, words.received, words.open]) expect(body).toContain(text)
    expect(mail.html).toContain(`<html lang="${language}">`)
  })

  test('has no link where the console has no host', () => {
    expect(mailOf(aLead({ link: null })).html).not.toContain('Open this message')
  })
})

/** Elements and attributes, in order: what no visitor can add to. Line breaks alone follow from the text. */
function skeleton(html: string): string[] {
  const tags: string[] = []
  new HTMLRewriter()
    .on('*', {
      element(element) {
        if (element.tagName !== 'br') tags.push([element.tagName, ...element.attributes].join(' '))
      },
    })
    .transform(html)
  return tags
}

const headerNames = async (...of: Lead[]) => (await parsed(...of)).headers.map(({ key }) => key)

const hostileLead = (value: string): Lead =>
  aLead({
    fields: [
      { name: 'name', value: `A ${value}` },
      { name: `B ${value}`, value: `C ${value}` },
    ],
    message: `C ${value}`,
    accountName: `D ${value}`,
    formName: `E ${value}`,
    record: aRecord({
      attribution: { first: null, last: { source: value || 'x', medium: value || 'x', campaign: value } },
      page: { slug: value, sha256: '0' },
    }),
  })

describe('nothing that a visitor types', () => {
  test('adds a header, a recipient or markup', async () => {
    const expected = { headers: await headerNames(hostileLead('x')), tags: skeleton(mailOf(hostileLead('x')).html) }
    for (const value of hostileValues) {
      const lead = hostileLead(value)
      const mail = await parsed(lead)
      expect(mail.headers.map(({ key }) => key)).toEqual(expected.headers)
      expect(mail.from?.address).toBe('leads@agency.example')
      expect(mail.to?.map(({ address }) => address)).toEqual(['sales@acme.example', 'team@acme.example'])
      expect(mail.replyTo?.map(({ address }) => address)).toEqual(['ada@visitor.example'])
      expect(mail.attachments).toEqual([])
      expect(skeleton(mail.html ?? '')).toEqual(expected.tags)
    }
  })

  test('is decoded by mail programs to the subject as we wrote it, encoded words and all', async () => {
    const words = [
      '=?utf-8?q?=0D=0AX:_y?=',
      '=?UTF-8?B?4oCu?= b',
      '=?utf-8?q?a?= =?utf-8?q?b?= ü',
      '=?',
      ...hostileValues,
    ]
    for (const value of words) {
      const lead = aLead({ fields: [{ name: 'name', value }], message: null })
      expect((await parsed(lead)).subject).toBe(mailOf(lead).subject)
    }
  })

  test('becomes an address that is answered, unless it is one', async () => {
    for (const value of [...hostileValues, '=?utf-8?q?=0Dx?=@visitor.example']) {
      expect((await parsed(aLead({ replyTo: value }))).replyTo).toBeUndefined()
    }
  })

  test('leaves a character that is not seen, or a line that SMTP would not carry', async () => {
    for (const value of hostileValues) {
      const mail = mailOf(hostileLead(value))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(mail.subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
      expect(mail.subject.length).toBeLessThanOrEqual(150)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(mail.text + mail.html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }
    const wire = await wireOf(...hostileValues.slice(0, 10).map(hostileLead))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a mail is ASCII, lines of at most 998 characters
    for (const line of wire.split('\r\n')) expect(line).toMatch(/^[\x09\x20-\x7e]{0,998}$/)
  })

  test('adds a header, a recipient or markup, whatever the characters', async () => {
    const tags = skeleton(mailOf(hostileLead('x')).html)
    const headers = await headerNames(hostileLead('x'))
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('\r\n', '\n', '<', '>', '"', "'", '&', '=?utf-8?q?', '?=', 'Bcc: a@b.example', '\0', '\u202e'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        // A field without a word in it is left out, and so are its elements.
        const mail = await parsed(hostileLead(`x${pieces.join('')}`))
        expect(mail.headers.map(({ key }) => key)).toEqual(headers)
        expect(skeleton(mail.html ?? '')).toEqual(tags)
      }),
      { numRuns: 100 },
    )
  })
})
