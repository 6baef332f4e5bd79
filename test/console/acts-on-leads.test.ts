// Refusing, releasing and removing leads, one and many at a time: what each says, and what follows it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { runCommand } from '../harness/capture-command.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'
import { replayLedger } from '../harness/replayed-ledger.ts'
import { visit } from '../harness/visits.ts'

let box: Box
let owner: ConsoleVisitor
let crm: Receiver
beforeAll(async () => {
  crm = new Receiver({ answer: () => new Response('later', { status: 503 }) })
  box = await Box.start(
    [
      aSite({
        forms: [aForm(), aForm({ id: 'booking1', name: 'Booking' })],
        goals: [{ name: 'Asked', form: 'contact1' }],
        deliveries: [{ name: 'crm', kind: 'webhook', url: crm.url() }],
        files: { 'pages/launch.html': '<h1>Launch</h1>' },
      }),
    ],
    { console: { listen: '127.0.0.1:0' }, delivery: { allow_private: ['127.0.0.0/8'] } },
  )
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await crm[Symbol.asyncDispose]()
})

const api = '/api/v1/accounts/acme'

/** A lead of somebody whose browser has opened the landing page before. */
async function lead(fields: Record<string, unknown>, form = 'contact1'): Promise<string> {
  const seen = await box.send(visit('/launch'))
  const cookie = seen.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return submissionIdOf(await box.send(formRequest({ form, fields, headers: { cookie } })))
}

const command = async (...argv: string[]) => {
  const { stdout, stderr, status } = await box.run([...argv, '--json'])
  expect({ status, stderr }).toMatchObject({ status: 0 })
  return JSON.parse(stdout)
}

/** Everything that counts: once nothing is left to process or derive. */
async function figures(): Promise<Figures> {
  let [before, now] = ['', await reportText()]
  await eventually('the figures rest', async () => {
    ;[before, now] = [now, await reportText()]
    return before === now
  })
  return JSON.parse(now)
}

const reportText = async (): Promise<string> => (await box.run(['report', 'acme', '--since', '2d', '--json'])).stdout

interface Figures {
  totals: { leads: number }
  quarantined: number
}

const shown = async (id: string) => JSON.parse((await owner.get(`${api}/submissions/${id}`)).text)
const persons = async (): Promise<string[]> =>
  (await box.run(['export', 'acme', 'persons'])).stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : JSON.parse(line).email))

describe('a refused lead', () => {
  test('is in quarantine, in no figure and nobody’s; a release brings back exactly what was', async () => {
    await lead({ email: 'ada@example.test', message: 'Hello' })
    const id = await lead({ email: 'spam@example.test', message: 'Buy' })
    await lead({ email: 'spam@example.test', message: 'Buy more' })
    const [counted, ...before] = [await figures(), await shown(id), (await persons()).toSorted()]

    expect(await command('submission', 'refuse', 'acme', id)).toEqual({
      account: 'acme',
      submissionId: id,
      refused: true,
      refusedAt: expect.stringMatching(/^\d{4}-/),
    })
    expect(await shown(id)).toMatchObject({ status: 'refused', refusedFor: 'operator', personId: null })
    const { totals, quarantined } = await figures()
    expect([totals.leads, quarantined]).toEqual([counted.totals.leads - 1, counted.quarantined + 1])
    expect((await box.run(['submission', 'list', 'acme', '--refused'])).stdout).toContain('an operator refused it')
    expect(await command('submission', 'refuse', 'acme', id)).toMatchObject({ refused: false })

    expect(await command('submission', 'release', 'acme', id)).toMatchObject({ released: true })
    expect([await figures(), await shown(id), (await persons()).toSorted()]).toEqual([counted, ...before])
  })

  test('of somebody who sent nothing else leaves no person', async () => {
    const id = await lead({ email: 'once@example.test' })
    expect(await persons()).toContain('once@example.test')
    const { status, text } = await owner.sendJson('POST', `${api}/submissions/${id}/refuse`, {})
    expect([status, JSON.parse(text)]).toMatchObject([200, { refused: true }])
    expect(await persons()).not.toContain('once@example.test')
    expect((await owner.get(`/api/v1/audit?q=submission.refuse`)).text).toContain(id)
  })

  test('is not delivered while it waits, and is once it is released', async () => {
    const id = await lead({ email: 'waits@example.test' })
    const deliveries = async () =>
      (
        JSON.parse((await owner.get(`${api}/deliveries?q=${id}`)).text).items as {
          submissionId: string
          state: string
        }[]
      )
        .filter(({ submissionId }) => submissionId === id)
        .map(({ state }) => state)
    await eventually('it was tried', async () => crm.received.some(({ body }) => body.includes(id)))
    expect(await deliveries()).toEqual(['waiting'])
    await command('submission', 'refuse', 'acme', id)
    // The destination may have it.
    expect(await deliveries()).toEqual(['failed'])
    await command('submission', 'release', 'acme', id)
    expect(await deliveries()).toEqual(['waiting'])
  })

  test('is refused alike by a ledger that is fed to an empty box', async () => {
    const id = await lead({ email: 'again@example.test' })
    for (const act of ['refuse', 'release', 'refuse']) await command('submission', act, 'acme', id)
    const before = await figures()
    const other = join(box.dir, 'other')
    replayLedger(join(box.dir, 'data', 'capture.db'), join(other, 'data', 'capture.db'))
    await Bun.write(join(other, 'capture.toml'), 'data_dir = "./data"\n')
    const argv = ['report', 'acme', '--since', '2d', '--json', '--config', join(other, 'capture.toml')]
    const { stdout } = await runCommand(argv, other)
    expect(JSON.parse(stdout)).toEqual(before)
  })
})

describe('a removed lead', () => {
  test('takes its figures, its person and its delivery with it, and nothing else of its sender', async () => {
    const before = await figures()
    const id = await lead({ email: 'gone@example.test', message: 'Forget this' })
    const receipt = await command('submission', 'remove', 'acme', id)
    expect(receipt).toMatchObject({ account: 'acme', erased: true, submissions: 1, events: 0, verified: true })
    expect((await box.run(['submission', 'show', 'acme', id])).status).toBe(1)
    expect(await persons()).not.toContain('gone@example.test')
    expect((await figures()).totals.leads).toBe(before.totals.leads)
  })

  test('goes by the API with a receipt, and only with the scope erase', async () => {
    const id = await lead({ email: 'api@example.test' })
    const dry = await owner.send('DELETE', `${api}/submissions/${id}?dryRun=true`)
    expect([dry.status, JSON.parse(dry.text)]).toMatchObject([200, { erased: false, submissions: 1 }])
    const { status, text } = await owner.send('DELETE', `${api}/submissions/${id}`)
    expect([status, JSON.parse(text)]).toMatchObject([200, { erased: true, submissions: 1 }])
    expect((await owner.send('DELETE', `${api}/submissions/${id}`)).status).toBe(404)
  })
})

describe('acts on many leads', () => {
  test('answer for each id', async () => {
    const ids = [await lead({ email: 'one@example.test' }), await lead({ email: 'two@example.test' })]
    const bulk = async (action: string, all = ids) => {
      const { status, text } = await owner.sendJson('POST', `${api}/submissions/bulk`, { action, ids: all })
      expect(status).toBe(200)
      return (JSON.parse(text).results as { id: string; done: boolean; error: unknown }[]).map(({ done }) => done)
    }
    const unknown = '0190b7a0-0000-7000-8000-000000000000'
    expect(await bulk('refuse', [...ids, unknown])).toEqual([true, true, false])
    expect((await shown(ids[0] ?? '')).refusedFor).toBe('operator')
    expect(await bulk('release')).toEqual([true, true])
    expect(await bulk('done')).toEqual([true, true])
    expect(await bulk('new')).toEqual([true, true])
    expect(await bulk('remove')).toEqual([true, true])
    expect(await bulk('remove')).toEqual([false, false])
  })

  test('remove several for who is in sales, through the API and on the page', async () => {
    const sales = new ConsoleVisitor(box)
    await sales.accept(
      await ConsoleVisitor.invite(box, ['sales@agency.example', '--account', 'acme', '--role', 'sales']),
    )
    const [one, two, three, four] = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => lead({ email: `${name}@sales.test` })),
    )
    expect((await sales.get('/a/acme')).text).toContain('value="bulk-remove"')
    const sent = await sales.sendJson('POST', `${api}/submissions/bulk`, { action: 'remove', ids: [one, two] })
    expect([sent.status, JSON.parse(sent.text).results]).toMatchObject([200, [{ done: true }, { done: true }]])
    const page = await sales.send('POST', `/a/acme/leads/remove?id=${three}&id=${four}`, {})
    expect([page.status, page.headers.get('location')]).toEqual([303, '/a/acme'])
    const left = (await box.submissions()).map(({ submissionId }) => submissionId)
    expect([one, two, three, four].filter((id) => left.includes(id ?? ''))).toEqual([])
  })

  test('of more than 200 on the page do 200, and say how many are left', async () => {
    const real = await lead({ email: 'many@example.test' })
    const picked = [real, ...Array.from({ length: 201 }, (_, at) => `id-${at}`)]
    const fields = { do: 'bulk-done', ...Object.fromEntries(picked.map((id) => [`pick:${id}`, 'on'])) }
    const { text } = await owner.send('POST', '/a/acme', fields, { accept: 'application/json' })
    expect(JSON.parse(text)).toEqual({
      text: '1 submission marked as done. 199 could not be: There is no such submission. Left as before: 2, since 200 at once are the most.',
      undo: { path: '/a/acme', fields: { do: 'bulk-restore', [`pick:${real}`]: 'new' } },
    })
  })

  test('are at most 200', async () => {
    const ids = Array.from({ length: 201 }, (_, at) => `id-${at}`)
    expect((await owner.sendJson('POST', `${api}/submissions/bulk`, { action: 'done', ids })).status).toBe(422)
  })
})

describe('whoever sent a submission', () => {
  test('is erased without an address: the record, the device while nobody’s, and the same phone number', async () => {
    const id = await lead({ name: 'Grace', phone: '+49 170 555 0199' })
    const same = await lead({ name: 'G.', phone: '0170/5550199' }, 'booking1')
    const other = await lead({ name: 'Edsger', phone: '+49 170 555 0200', booked: '0170 5550199 is not mine' })
    const dry = await box.run(['person', 'erase', 'acme', '--submission', id, '--json'])
    expect([dry.status, JSON.parse(dry.stdout)]).toMatchObject([2, { erased: false, submissions: 2, pageViews: 1 }])
    const receipt = await command('person', 'erase', 'acme', '--submission', id, '--yes')
    expect(receipt).toMatchObject({ erased: true, submissions: 2, pageViews: 1, devices: 1, verified: true })
    const left = (await box.submissions()).map(({ submissionId }) => submissionId)
    expect([left.includes(id), left.includes(same), left.includes(other)]).toEqual([false, false, true])
  })

  test('is named by the page that asks whether to erase them', async () => {
    const id = await lead({ name: 'Margaret Hamilton', phone: '+49 170 555 0300' })
    const nameless = await lead({ interest: 'kitchen' })
    expect((await owner.get(`/a/acme/s/${id}/erase`)).text).toContain('<h1>Erase Margaret Hamilton?</h1>')
    expect((await owner.get(`/a/acme/s/${id}/erase`)).text).toContain(
      `<a href="/a/acme/leads/remove?id=${id}">Remove only this lead</a> <a href="/a/acme/s/${id}">Cancel</a>`,
    )
    expect((await owner.get(`/a/acme/s/${nameless}/erase`)).text).toContain('<h1>Erase whoever sent this?</h1>')
  })

  test('reads the same question on the page of the person and on that of the submission', async () => {
    const id = await lead({ name: 'Katherine', email: 'katherine@example.test' })
    const { text } = await owner.get(`/a/acme/s/${id}/erase`)
    // A delivery may arrive between the two.
    const [question = ''] = /<h1>.*?Copies in/s.exec(text) ?? []
    const words = question.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(words).toMatch(
      /^ Erase Katherine\? katherine@example\.test Erased for good 1 submission, .* 1 page view Their visits and leads no longer count in reports Stays Records of other people.* Copies in$/,
    )
    expect((await owner.get('/a/acme/persons/katherine@example.test/erase')).text).toContain(question)
  })

  test('is erased as a person where the record has an address', async () => {
    const id = await lead({ email: 'barbara@example.test', phone: '030 555 0123' })
    await lead({ email: 'barbara@example.test' })
    await lead({ email: 'donald@example.test', phone: '+49 30 5550123' })
    const { status, text } = await owner.send('DELETE', `${api}/persons?submission=${id}`)
    expect([status, JSON.parse(text)]).toMatchObject([200, { erased: true, submissions: 3 }])
    expect(await persons()).not.toContain('barbara@example.test')
    expect((await box.submissions()).map(({ identity }) => identity.email)).not.toContain('donald@example.test')
  })
})

describe('a lead that is gone', () => {
  test('is left out of the page that removes several, which says so; alone it is not found', async () => {
    const [gone, left] = [await lead({ email: 'gone@example.test' }), await lead({ email: 'left@example.test' })]
    await command('submission', 'remove', 'acme', gone, '--yes')
    const both = await owner.get(`/a/acme/leads/remove?id=${gone}&id=${left}`)
    expect([both.status, both.text]).toEqual([
      200,
      expect.stringContaining('Already gone, and left out: 1 submission.'),
    ])
    expect(both.text).toContain('Remove the lead of left@example.test?')
    expect(both.text).toContain('1 submission, with states, notes and deliveries')
    expect((await owner.get(`/a/acme/leads/remove?id=${gone}`)).status).toBe(404)
    await command('submission', 'remove', 'acme', left, '--yes')
  })
})

describe('what is in quarantine', () => {
  test('is no lead to the pages that remove it, and they lead back there', async () => {
    const lefts = [await lead({ email: 'bot1@example.test' }), await lead({ email: 'bot2@example.test' })]
    const counted = await lead({ email: 'lead@example.test' })
    for (const id of lefts) await command('submission', 'refuse', 'acme', id)
    const [id = '', other = ''] = lefts
    const page = async (path: string) => (await owner.get(path)).text.split('<main')[1]
    const one = await page(`/a/acme/leads/remove?id=${id}`)
    expect(one).toContain('<h1>Remove the submission of bot1@example.test?</h1>')
    expect(one).toMatch(/<h2>Removed for good<.*<button class="danger">Remove this submission</s)
    expect(one).toContain(`<a href="/a/acme/s/${id}">This submission</a>`)
    expect(one).not.toContain('in reports')
    expect(await page(`/a/acme/s/${id}/erase`)).toContain('>Remove only this submission</a>')
    const both = await page(`/a/acme/leads/remove?id=${id}&id=${other}`)
    expect(both).toContain('<h1>Remove 2 submissions?</h1>')
    expect(both).toContain('>Remove 2 submissions</button>')
    expect(both).toContain('<a href="/a/acme?status=refused">Quarantine</a>')
    const mixed = await page(`/a/acme/leads/remove?id=${id}&id=${counted}`)
    expect(mixed).toContain('<h1>Remove 2 submissions?</h1>')
    expect(mixed).toContain('The leads among them no longer count in reports')
    expect(mixed).toContain('<a href="/a/acme">All leads</a>')
    const removed = await owner.send('POST', `/a/acme/leads/remove?id=${id}&id=${other}`, {})
    expect([removed.status, removed.headers.get('location')]).toEqual([303, '/a/acme?status=refused'])
    await command('submission', 'remove', 'acme', counted, '--yes')
  })
})

describe('an export', () => {
  test('has one form alone', async () => {
    const id = await lead({ email: 'books@example.test', day: 'Monday' }, 'booking1')
    const { stdout } = await box.run(['export', 'acme', 'submissions', '--form', 'booking1'])
    const forms = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { formId: string; submissionId: string })
    expect(new Set(forms.map(({ formId }) => formId))).toEqual(new Set(['booking1']))
    expect(forms.map(({ submissionId }) => submissionId)).toContain(id)
    expect((await box.run(['export', 'acme', 'submissions', '--form', 'nosuch11'])).status).toBe(1)
  })

  test('of the inbox opens in Excel, with what visitors entered first', async () => {
    const { text, headers } = await owner.get('/a/acme/leads.csv?form=booking1')
    expect(headers.get('content-disposition')).toContain('acme-booking1.csv')
    const { headers: ofGone } = await owner.get('/a/acme/leads.csv?form=nosuch11')
    expect(ofGone.get('content-disposition')).toContain('acme-leads.csv')
    const [header = ''] = text.split('\r\n')
    expect(header.split(',').slice(0, 2)).toEqual(['email', 'day'])
  })
})
