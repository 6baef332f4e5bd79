import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PersonRecord } from '../../src/report/person-reader.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
const names = ['ada', 'grace', 'edsger', 'barbara', 'donald']
beforeAll(async () => {
  box = await Box.start([aSite({ forms: [aForm()] })], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  for (const name of names)
    await box.send(formRequest({ fields: { email: `${name}@example.test`, name: `Dr ${name}` } }))
}, boxStartMsMax)
afterAll(() => box.stop())

const persons = '/api/v1/accounts/acme/persons'

async function list(query = ''): Promise<{ items: PersonRecord[]; next: string | null }> {
  return JSON.parse((await owner.get(persons + query)).text)
}

const idOf = async (name: string): Promise<string> => {
  const [person] = (await list(`?q=${name}`)).items
  if (person === undefined) throw new Error(`nobody is called ${name}`)
  return person.personId
}

const latestAudit = async (action: string) =>
  JSON.parse((await owner.get(`/api/v1/audit?q=${action}`)).text).items[0] as Record<string, unknown>

describe('the list of persons', () => {
  test('has the latest known first, as they are exported', async () => {
    const exported = (await box.run(['export', 'acme', 'persons'])).stdout.trim().split('\n')
    expect((await list()).items).toEqual(exported.map((line) => JSON.parse(line)).toReversed())
  })

  test('goes on behind the last one of a page, whoever becomes known meanwhile', async () => {
    const first = await list('?limit=2')
    await box.send(formRequest({ fields: { email: 'later@example.test' } }))
    const second = await list(`?limit=2&cursor=${first.next}`)
    const rest = await list(`?limit=2&cursor=${second.next}`)
    const emails = [...first.items, ...second.items, ...rest.items].map(({ email }) => email)
    expect([emails, rest.next]).toEqual([names.toReversed().map((name) => `${name}@example.test`), null])
  })

  test.each([
    ['a whole address, in any case', 'GRACE@Example.test', ['grace@example.test']],
    ['a part of one', 'dsge', ['edsger@example.test']],
    ['nobody', 'nobody-like-it', []],
  ])('finds %s', async (_, q, emails) => {
    expect((await list(`?q=${encodeURIComponent(q)}`)).items.map(({ email }) => email)).toEqual(emails)
  })

  test('comes as CSV, which is noted as an export', async () => {
    const { text } = await owner.get(`${persons}?format=csv&limit=1`)
    expect(text.split('\r\n')[0]).toStartWith('personId,email')
    expect(await latestAudit('export.read')).toMatchObject({ subject: 'persons' })
  })

  test('refuses a cursor that is none', async () => {
    expect((await owner.get(`${persons}?cursor=bm9uc2Vuc2U`)).status).toBe(422)
  })
})

describe('one person', () => {
  test.each([
    ['personId', async () => idOf('grace')],
    ['address', async () => 'grace%40example.test'],
  ])('is read by %s as the command shows them, and noted by personId', async (_, name) => {
    const { status, text } = await owner.get(`${persons}/${await name()}`)
    const command = await box.run(['person', 'show', 'acme', 'grace@example.test', '--json'])
    expect([status, text]).toEqual([200, command.stdout])
    expect(await latestAudit('person.read')).toMatchObject({ subject: await idOf('grace'), account: 'acme' })
  })

  test.each(['0190b7a0-0000-7000-8000-000000000000', 'nobody%40example.test', 'nonsense'])(
    '%s is not found, and no address is in the audit log',
    async (name) => {
      expect((await owner.get(`${persons}/${name}`)).status).toBe(404)
      expect((await owner.get('/api/v1/audit?limit=500')).text).not.toContain('@example.test')
    },
  )

  test('of another account is not found', async () => {
    const id = await idOf('grace')
    await box.apply(aSite({ account: 'other' }))
    expect((await owner.get(`/api/v1/accounts/other/persons/${id}`)).status).toBe(404)
  })
})

describe('an erasure', () => {
  test('is counted first, and then done as the command does it', async () => {
    const id = await idOf('donald')
    const dry = await owner.send('DELETE', `${persons}/${id}?dryRun=true`)
    expect(JSON.parse(dry.text)).toMatchObject({ account: 'acme', erased: false, submissions: 1 })
    const { status, text } = await owner.send('DELETE', `${persons}/${id}`)
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        account: 'acme',
        erased: true,
        submissions: 1,
        events: 0,
        pageViews: 0,
        clicks: 0,
        devices: expect.any(Number),
        verified: true,
        mentions: 0,
        mentionedIn: [],
        snapshots: [],
        movedAside: [],
      },
    ])
    expect(await latestAudit('person.erase')).toMatchObject({ subject: id, outcome: 'done' })
    expect((await owner.get(`${persons}/${id}`)).status).toBe(404)
  })

  test('by an address that nobody is known by says so', async () => {
    const { status, text } = await owner.send('DELETE', `${persons}/nobody%40example.test`)
    expect([status, JSON.parse(text).erased]).toEqual([200, false])
  })

  test('tells whoever works on one account alone nothing of where the box keeps earlier databases', async () => {
    const admin = new ConsoleVisitor(box)
    await admin.accept(await ConsoleVisitor.invite(box, ['a@acme.example', '--account', 'acme', '--role', 'admin']))
    const { text } = await admin.send('DELETE', `${persons}/nobody%40example.test`)
    expect(Object.keys(JSON.parse(text))).not.toContain('snapshots')
    expect(Object.keys(JSON.parse(text))).not.toContain('movedAside')
    expect(JSON.parse(text)).toMatchObject({ verified: true })
  })

  test('is not an editor’s to do', async () => {
    const editor = new ConsoleVisitor(box)
    await editor.accept(await ConsoleVisitor.invite(box, ['e@acme.example', '--account', 'acme', '--role', 'editor']))
    expect((await editor.send('DELETE', `${persons}/${await idOf('ada')}`)).status).toBe(403)
  })
})
