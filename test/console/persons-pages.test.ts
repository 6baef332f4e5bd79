import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { forGoodPart } from '../../src/console/page/for-good.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { cookieOf } from '../harness/identity.ts'
import { visit } from '../harness/visits.ts'

let box: Box
let owner: ConsoleVisitor
let viewer: ConsoleVisitor
const ids = new Map<string, string>()
beforeAll(async () => {
  const files = { 'pages/page1.html': '<!doctype html><title>Page</title>' }
  box = await Box.start([aSite({ forms: [aForm({ name: 'Contact' })], files }), aSite({ account: 'other' })], {
    console: { listen: '127.0.0.1:0' },
  })
  owner = await ConsoleVisitor.owner(box)
  viewer = await asRole('viewer')
  for (const name of ['ada', 'grace', 'bob']) {
    const headers = { cookie: cookieOf(await box.send(visit('/page1?utm_source=news'))) }
    const traits = { email: `${name}@example.test`, name: `<i>${name}</i>`, plan: 'pro' }
    await box.send(eventRequest({ headers, events: [{ event: '$identify', traits }] }))
    const fields = { email: traits.email, name: `${name} Hopper`, message: 'Do you print on cloth?' }
    submissionIdOf(await box.send(formRequest({ headers, fields })))
  }
  const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/persons')).text)
  for (const { email, personId } of items) ids.set(email.split('@')[0], personId)
}, boxStartMsMax)
afterAll(() => box.stop())

async function asRole(role: string): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, [`${role}@acme.example`, '--account', 'acme', '--role', role]))
  return visitor
}

const pathOf = (name: string, account = 'acme') => `/a/${account}/persons/${ids.get(name)}`
/** Lets an hour pass since everybody proved who they are. */
function proveLongAgo(): void {
  using database = new Database(join(box.dir, 'data', 'capture.db'))
  database.run('PRAGMA busy_timeout = 5000')
  database.run('UPDATE console_session SET proved_at = proved_at - 3600000')
}

const wordsOf = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the list of persons', () => {
  test('has everybody, the latest known first, with text alone', async () => {
    const { text } = await viewer.get('/a/acme/persons')
    expect([...text.matchAll(/<bdi>(\w+)@example.test/g)].map(([, name]) => name ?? '')).toEqual([
      'bob',
      'grace',
      'ada',
    ])
    expect(text).toContain('&lt;i&gt;ada&lt;/i&gt;')
    expect(wordsOf(text)).toMatch(/Known since .*ada@example\.test 1 \d+ \w{3} \d{4}/)
  })

  test('stands in the audit log whenever it is opened', async () => {
    await viewer.get('/a/acme/persons')
    const { items } = JSON.parse((await owner.get('/api/v1/audit?q=viewer@acme.example&limit=1')).text)
    expect(items).toMatchObject([{ action: 'person.list', account: 'acme', actor: { label: 'viewer@acme.example' } }])
  })

  test.each([
    ['an address', 'GRACE@example.test'],
    ['a trait', '<i>grace'],
    ['the name that their form gave', 'Grace hop'],
  ])('finds somebody by %s', async (_, q) => {
    const { text } = await owner.get(`/a/acme/persons?q=${encodeURIComponent(q)}`)
    expect([text.includes('grace@example.test</bdi>'), text.includes('ada@example.test</bdi>')]).toEqual([true, false])
  })

  test('is in the navigation, but not for clients', async () => {
    const client = await asRole('client')
    expect((await viewer.get('/a/acme')).text).toContain('href="/a/acme/persons"')
    expect((await client.get('/a/acme')).text).not.toContain('/persons')
    expect((await client.get('/a/acme/persons')).status).toBe(403)
    expect((await client.get(pathOf('ada'))).status).toBe(403)
  })
})

describe('a person’s page', () => {
  test('shows what is known and what they did, and is noted by personId', async () => {
    const { text } = await viewer.get(pathOf('ada'))
    expect(text).toContain('<a class="button" href="mailto:ada@example.test">Reply</a>')
    expect(wordsOf(text)).toMatch(
      /ada@example\.test .*Sent Contact Do you print on cloth\? .*Opened \/page1 from news .*Traits .*plan pro /,
    )
    expect(text).toContain('<a href="mailto:ada@example.test"><bdi>ada@example.test</bdi></a>')
    expect(text).not.toContain('<i>ada')
    expect(text).not.toContain('/erase')
    const { items } = JSON.parse((await owner.get('/api/v1/audit?q=person.read')).text)
    expect(items[0]).toMatchObject({ action: 'person.read', subject: ids.get('ada'), account: 'acme' })
  })

  test('of another account is not there', async () => {
    expect((await owner.get(pathOf('ada', 'other'))).status).toBe(404)
    expect((await owner.get(`${pathOf('ada', 'other')}/erase`)).status).toBe(404)
  })
})

describe('an erasure', () => {
  test('says what it will take, takes it, and says what it took', async () => {
    const path = pathOf('bob')
    const [, ways = ''] = (await owner.get(path)).text.split('<h2>Personal data</h2>')
    expect(ways).toContain(`href="${path}/erase"`)
    const question = await owner.get(`${path}/erase`)
    expect(wordsOf(question.text)).toContain('1 submission, with states, notes and deliveries')
    expect(question.text).toMatch(/<h1>Erase [^<@]+\?<\/h1>/)
    expect((await owner.get(path)).status).toBe(200)
    const { status, text } = await owner.send('POST', `${path}/erase`, {})
    expect(status).toBe(200)
    expect(wordsOf(text)).toMatch(
      /Erased: 1 submission, 1 page view, 1 event, 1 device\. Verified: the address is nowhere .* Stays Copies in earlier backups/,
    )
    expect(text).not.toContain('bob@')
    expect((await owner.get(path)).status).toBe(404)
    const { items } = JSON.parse((await owner.get('/api/v1/audit?q=person.erase')).text)
    expect(items[0]).toMatchObject({ subject: ids.get('bob'), outcome: 'done' })
  })

  test('says nothing of what there is none of', () => {
    const part = forGoodPart({
      counts: { submissions: 0, events: 1 },
      uncounted: '',
      stays: '',
      destinations: [],
      to: '',
      back: '',
      act: 'Erase',
      what: 'them',
      instead: null,
    })
    expect(wordsOf(part.text)).toMatch(/^ *Erased for good 1 event /)
  })

  test('is not for editors and viewers', async () => {
    for (const visitor of [await asRole('editor'), viewer]) {
      expect((await visitor.get(`${pathOf('ada')}/erase`)).status).toBe(403)
      expect((await visitor.send('POST', `${pathOf('ada')}/erase`, {})).status).toBe(403)
    }
    expect((await owner.get(pathOf('ada'))).status).toBe(200)
  })

  test('is asked again of whoever proved themselves too long ago', async () => {
    const visitor = await ConsoleVisitor.owner(box)
    proveLongAgo()
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await visitor.send(method, `${pathOf('ada')}/erase`, method === 'POST' ? {} : null)
      expect([status, headers.get('location')]).toEqual([
        303,
        `/prove?to=${encodeURIComponent(`${pathOf('ada')}/erase`)}`,
      ])
    }
    const { status, text } = await visitor.send('DELETE', `/api/v1/accounts/acme/persons/${ids.get('ada')}`)
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'prove_again'])
    expect((await viewer.get(pathOf('ada'))).status).toBe(200)
  })
})
