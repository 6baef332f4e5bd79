import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { cookieOf } from '../harness/identity.ts'
import { visit } from '../harness/visits.ts'

let box: Box
let owner: ConsoleVisitor
let editor: ConsoleVisitor
let viewer: ConsoleVisitor
let client: ConsoleVisitor
beforeAll(async () => {
  const site = aSite({
    forms: [aForm(), aForm({ id: 'contact2', name: 'Offer' })],
    goals: [{ name: 'Chose a plan', event: 'plan_chosen' }],
    files: { 'pages/page1.html': '<!doctype html><title>Page</title><script>alert(1)</script>' },
  })
  const deliveries = [{ name: 'crm', kind: 'webhook', url: 'https://crm.test/hook' }]
  box = await Box.start([site, aSite({ account: 'other' }), aSite({ account: 'sender', deliveries })], {
    console: { listen: '127.0.0.1:0' },
  })
  owner = await ConsoleVisitor.owner(box)
  ;[editor, viewer, client] = [await asRole('editor'), await asRole('viewer'), await asRole('client')]
}, boxStartMsMax)
afterAll(() => box.stop())

async function asRole(role: string): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, [`${role}@acme.example`, '--account', 'acme', '--role', role]))
  return visitor
}

let lead: string
let path: string
let people = 0
beforeEach(async () => {
  const fields = { email: `person-${people}@example.test`, name: `Person ${people++}` }
  lead = submissionIdOf(await box.send(formRequest({ fields })))
  path = `/a/acme/s/${lead}`
})

const stateOf = async (id = lead): Promise<string> =>
  JSON.parse((await owner.get(`/api/v1/accounts/acme/submissions/${id}/state`)).text).state

const inboxHolds = async (query: string, id = lead): Promise<boolean> =>
  (await owner.get(`/a/acme?${query}`)).text.includes(`/a/acme/s/${id}"`)

describe('the state', () => {
  test('of a lead becomes seen by a form, which only those get who work on leads, and not by a GET', async () => {
    for (const visitor of [viewer, client]) expect((await visitor.get(path)).text).not.toContain('Mark as seen')
    expect((await editor.get(path)).text).toContain('Mark as seen')
    expect(await stateOf()).toBe('new')
    expect((await editor.send('POST', path, { do: 'see' })).headers.get('location')).toBe(path)
    expect(await stateOf()).toBe('seen')
    const { text } = await editor.get(path)
    expect((await viewer.get(path)).text).toContain('Seen</span> by editor@acme.example')
    expect(text).not.toContain('Seen</span> by')
    expect(text).not.toContain('Mark as seen')
  })

  test('of a lead that is done stays so when somebody looks at it late', async () => {
    await editor.send('POST', path, { do: 'done' })
    await editor.send('POST', path, { do: 'see' })
    expect(await stateOf()).toBe('done')
  })

  test('is chosen by in the list', async () => {
    expect([await inboxHolds('state=new'), await inboxHolds('state=done')]).toEqual([true, false])
    const { status, headers } = await editor.send('POST', '/a/acme?state=new', { do: 'done', submission: lead })
    expect([status, headers.get('location')]).toEqual([303, '/a/acme?state=new'])
    expect([await inboxHolds('state=new'), await inboxHolds('state=done')]).toEqual([false, true])
  })

  test('is no business of viewers and clients', async () => {
    for (const visitor of [viewer, client]) {
      expect((await visitor.send('POST', '/a/acme', { do: 'done', submission: lead })).status).toBe(403)
      expect((await visitor.send('POST', path, { do: 'done' })).status).toBe(403)
    }
    expect((await client.get('/a/acme')).text).not.toContain('data-state="new"')
    expect(await stateOf()).toBe('new')
  })

  test('of another account’s submission cannot be set from here', async () => {
    expect((await owner.send('POST', '/a/other', { do: 'done', submission: lead })).status).toBe(404)
    expect(await stateOf()).toBe('new')
  })
})

describe('the quarantine', () => {
  test('says what it is while it is empty, and how long a submission waits there', async () => {
    const { text } = await owner.get('/a/other?status=refused')
    expect(text).toContain('Nothing is in quarantine')
    expect(text).toContain('waits here for 30 days, unless you release it')
    expect((await owner.get('/a/other?status=refused&q=robot')).text).toContain('Nothing found.')
  })
})

describe('a note', () => {
  test('is text, and is read by colleagues but not by clients', async () => {
    expect((await editor.send('POST', path, { do: 'note', text: '<b>Call</b>\r\n\r\nlater ' })).status).toBe(303)
    expect((await viewer.get(path)).text).toContain('&lt;b&gt;Call&lt;/b&gt;\n\nlater</p>')
    expect((await client.get(path)).text).not.toContain('Call&lt;')
    const [, id = ''] = /name="note" value="([^"]+)"/.exec((await editor.get(path)).text) ?? []
    await editor.send('POST', path, { do: 'remove-note', note: id })
    expect((await viewer.get(path)).text).not.toContain('Call&lt;')
  })

  test('of nothing is refused', async () => {
    await editor.send('POST', path, { do: 'note', text: '  ' })
    expect((await viewer.get(path)).text).toContain('No notes yet')
  })
})

describe('a saved filter', () => {
  test('is the user’s own, until they remove it', async () => {
    await editor.send('POST', '/a/acme/filters?status=refused&q=bot', { do: 'keep', name: 'Bots <3' })
    expect((await editor.get('/a/acme')).text).toContain('<a href="/a/acme?status=refused&amp;q=bot">Bots &lt;3</a>')
    expect((await owner.get('/a/acme')).text).not.toContain('Bots &lt;3')
    const [, id = ''] = /name="filter" value="([^"]+)"/.exec((await editor.get('/a/acme')).text) ?? []
    await editor.send('POST', '/a/acme/filters', { do: 'remove', filter: id })
    expect((await editor.get('/a/acme')).text).not.toContain('Bots &lt;3')
  })
})

describe('a submission’s page', () => {
  test('tells the way to the form', async () => {
    const cookie = cookieOf(await box.send(visit('/page1?utm_source=news&utm_medium=email')))
    const properties = { plan: 'pro', url: 'https://www.acme.example/plans?ref=1' }
    const events = [
      { event: 'plan_chosen', properties },
      { event: 'seated', properties: { host: 'Ann' } },
    ]
    await box.send(eventRequest({ headers: { cookie }, events }))
    const sent = formRequest({ headers: { cookie }, fields: { email: 'way@example.test' } })
    const id = submissionIdOf(await box.send(sent))
    await box.send(visit('/page1', { headers: { cookie } }))
    const { text } = await owner.get(`/a/acme/s/${id}`)
    const way = text
      .slice(text.indexOf('<ol class="way">'))
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    expect(way).toMatch(
      /Opened \/page1 from news, by email .*Goal Chose a plan on www\.acme\.example\/plans plan: pro .*Event seated host: Ann .*Sent/,
    )
    expect(way.match(/Opened/g)).toHaveLength(1)
    expect((await client.get(`/a/acme/s/${id}`)).text).not.toContain('Chose a plan')
  })

  test('says where it was sent on to, and what became of it', async () => {
    const id = submissionIdOf(await box.send(formRequest({ account: 'sender' })))
    const { text } = await owner.get(`/a/sender/s/${id}`)
    expect(text).toMatch(/>crm<\/a> <span class="soft">webhook<\/span> <span class="mark plain">waiting<\/span>/)
    expect(text).toContain('href="/a/sender/deliveries"')
  })

  test('says that a destination is paused', async () => {
    await box.run(['delivery', 'pause', 'sender', 'crm'])
    try {
      const id = submissionIdOf(await box.send(formRequest({ account: 'sender' })))
      expect((await owner.get(`/a/sender/s/${id}`)).text).toContain('paused</span>')
    } finally {
      await box.run(['delivery', 'resume', 'sender', 'crm'])
    }
  })

  test.each([
    ['ada+news@example.test', 'mailto:ada%2Bnews@example.test'],
    ['a?bcc=eve@example.test', 'mailto:a%3Fbcc%3Deve@example.test'],
  ])('offers to write to %s, and to nobody else', async (email, href) => {
    const id = submissionIdOf(await box.send(formRequest({ fields: { email } })))
    const { text } = await viewer.get(`/a/acme/s/${id}`)
    expect(text).toContain(`<a class="button" href="${href}">Reply</a>`)
    expect(text).toContain(`<a href="${href}"><bdi>${email}</bdi></a>`)
    expect((await client.get(`/a/acme/s/${id}`)).text).not.toContain('mailto:')
  })

  test('offers to call the number that was left, but nobody who is in quarantine', async () => {
    const fields = { email: 'call@example.test', phone: '+44 (0)20 7946 0018' }
    const called = submissionIdOf(await box.send(formRequest({ fields })))
    const before = (await editor.get(`/a/acme/s/${called}`)).text
    // Above what else can be done with a lead.
    expect(before).toMatch(/<div class="do answer"><a class="button" href="tel:\+442079460018">Call<.*>Done</s)
    expect(before).toContain('<a href="tel:+442079460018"><bdi>+44 (0)20 7946 0018</bdi></a>')
    await editor.send('POST', `/a/acme/s/${called}`, { do: 'refuse' })
    expect((await editor.get(`/a/acme/s/${called}`)).text).not.toMatch(/href="(?:tel|mailto):/)
  })

  test('has the answers before the history, if there is any, and proofs and ids only in its receipt', async () => {
    const cookie = cookieOf(await box.send(visit('/page1')))
    const fields = { email: 'seen@example.test' }
    const known = submissionIdOf(await box.send(formRequest({ headers: { cookie }, fields })))
    const { text } = await viewer.get(`/a/acme/s/${known}`)
    const [shown = '', receipt = ''] = text.split('<summary>Receipt</summary>')
    expect(shown.indexOf('Before the form')).toBeGreaterThan(shown.indexOf('Email</bdi>'))
    expect(shown.match(/<li><span class="when meta">/g)).toHaveLength(1)
    expect((await viewer.get(path)).text).not.toContain('Before the form')
    for (const proof of ['Bot check', 'Consent text', 'IP address', `<code class="wrap">${known}</code>`]) {
      expect(shown).not.toContain(proof)
      expect(receipt).toContain(proof)
    }
  })

  test('begins with the message, and repeats it nowhere', async () => {
    const fields = {
      email: 'writer@example.test',
      day: 'Monday',
      message: 'How long\ndoes a kitchen take?',
      note: 'Call me in May',
    }
    const sent = submissionIdOf(await box.send(formRequest({ fields })))
    const { text } = await viewer.get(`/a/acme/s/${sent}`)
    const [, card = ''] = text.split('<div class="card">')
    expect(card).toStartWith(
      '<p class="message"><span class="soft"><bdi>Message</bdi></span>\n<bdi>How long\ndoes a kitchen take?</bdi></p><table',
    )
    expect(card.split('How long')).toHaveLength(2)
  })

  test('tells clients that a part is hidden', async () => {
    for (const [place, words] of [
      ['/a/acme', 'are hidden. Ask your agency to show them.'],
      [path, '<span class="soft">Hidden. Ask your agency to show them.</span>'],
    ] as const) {
      expect((await client.get(place)).text).toContain(words)
      expect((await viewer.get(place)).text).not.toContain('Ask your agency')
    }
  })

  test('gives the landing page as it was shown, as a file and never as a page of the console', async () => {
    const shown = await box.send(visit('/page1'))
    const sent = formRequest({ headers: { cookie: cookieOf(shown) }, fields: { email: 'shown@example.test' } })
    const id = submissionIdOf(await box.send(sent))
    const { status, text, headers } = await owner.get(`/a/acme/s/${id}/page`)
    expect([status, text]).toEqual([200, shown.text])
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toStartWith('attachment; filename="page1-')
    expect(headers.get('content-security-policy')).toStartWith('sandbox')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})
