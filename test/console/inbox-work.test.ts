import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { apiOf } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
let first = ''
let second = ''
const path = '/api/v1/accounts/acme/submissions'
beforeAll(async () => {
  box = await Box.start([aSite({ forms: [aForm()] }), aSite({ account: 'other' })], {
    console: { listen: '127.0.0.1:0' },
  })
  owner = await ConsoleVisitor.owner(box)
  first = submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test' } })))
  second = submissionIdOf(await box.send(formRequest({ fields: { email: 'bob@example.test' } })))
}, boxStartMsMax)
afterAll(() => box.stop())

const asRole = async (role: string): Promise<ConsoleVisitor> => {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, [`${role}@acme.example`, '--account', 'acme', '--role', role]))
  return visitor
}

const idsIn = async (state: string): Promise<string[]> =>
  JSON.parse((await owner.get(`${path}?state=${state}`)).text).items.map(
    (item: { submissionId: string }) => item.submissionId,
  )

describe('the state of a submission', () => {
  test('is new at first, and then what somebody makes it', async () => {
    expect(JSON.parse((await owner.get(`${path}/${first}/state`)).text)).toEqual({
      submissionId: first,
      state: 'new',
      at: null,
      by: null,
    })
    const { status, text } = await owner.sendJson('PUT', `${path}/${first}/state`, { state: 'done' })
    expect([status, JSON.parse(text)]).toMatchObject([200, { state: 'done', by: { kind: 'user' } }])
    expect(JSON.parse((await owner.get(`${path}/${first}/state`)).text)).toEqual(JSON.parse(text))
    expect([await idsIn('new'), await idsIn('done'), await idsIn('seen')]).toEqual([[second], [first], []])
    await owner.sendJson('PUT', `${path}/${first}/state`, { state: 'new' })
    expect(await idsIn('new')).toEqual([second, first])
  })

  test('of eight who set it as they have read it, one does', async () => {
    const etag = (await owner.get(`${path}/${first}/state`)).headers.get('etag') ?? ''
    const set = (tag: string) =>
      apiOf(box, owner)('PUT', `/accounts/acme/submissions/${first}/state`, {
        json: { state: 'done' },
        headers: { 'if-match': tag },
      })
    const answers = await Promise.all(Array.from({ length: 8 }, () => set(etag)))
    const [done, ...others] = answers.toSorted((one, other) => one.status - other.status)
    expect([done?.status, ...others.map(({ status }) => status)]).toEqual([200, ...Array(7).fill(412)])
    expect((await owner.get(`${path}/${first}/state`)).headers.get('etag')).toBe(done?.headers.get('etag') ?? '')
    await set('*')
    await owner.sendJson('PUT', `${path}/${first}/state`, { state: 'new' })
  })

  test.each([
    ['is unknown', 'finished', 422],
    ['is of a submission that is not there', 'done', 404],
  ])('that %s is not set', async (_, state, status) => {
    const id = status === 404 ? '0190b7a0-0000-7000-8000-000000000000' : first
    expect((await owner.sendJson('PUT', `${path}/${id}/state`, { state })).status).toBe(status)
  })

  test('of another account’s submission is nobody’s to read or set', async () => {
    const elsewhere = `/api/v1/accounts/other/submissions/${first}/state`
    expect((await owner.get(elsewhere)).status).toBe(404)
    expect((await owner.sendJson('PUT', elsewhere, { state: 'done' })).status).toBe(404)
  })

  test('is set by editors, read by viewers, and hidden from clients', async () => {
    const [editor, viewer, client] = [await asRole('editor'), await asRole('viewer'), await asRole('client')]
    const set = (visitor: ConsoleVisitor) => visitor.sendJson('PUT', `${path}/${second}/state`, { state: 'seen' })
    expect([(await set(editor)).status, (await set(viewer)).status, (await set(client)).status]).toEqual([
      200, 403, 403,
    ])
    const read = (visitor: ConsoleVisitor) => visitor.get(`${path}/${second}/state`)
    expect([(await read(viewer)).status, (await read(client)).status]).toEqual([200, 403])
    expect((await client.get(`${path}?state=new`)).status).toBe(403)
  })
})

test('what a form did is said once by the page that follows, and takes the focus', async () => {
  const page = `/a/acme/s/${second}`
  const said = /<div class="note good" role="status" tabindex="-1" autofocus><p>Marked as new\.<\/p>/
  await owner.send('POST', page, { do: 'new' })
  expect([(await owner.get(page)).text, (await owner.get('/a/acme')).text].map((text) => said.test(text))).toEqual([
    false,
    true,
  ])
  expect((await owner.get('/a/acme')).text).not.toMatch(said)
})

test('what the script did, which opens no page, is not said by a later one', async () => {
  await owner.send('POST', '/a/acme', { do: 'seen', submission: second }, { 'sec-fetch-mode': 'cors' })
  expect((await owner.get('/a/acme')).text).not.toContain('Reopened.')
})

describe('notes on a submission', () => {
  test('are written, listed in their order, and removed', async () => {
    const written = []
    for (const text of ['Called her', 'Wants an <b>offer</b>'])
      written.push(JSON.parse((await owner.sendJson('POST', `${path}/${first}/notes`, { text })).text))
    const { items } = JSON.parse((await owner.get(`${path}/${first}/notes`)).text)
    expect(items).toEqual(written)
    expect((await owner.send('DELETE', `${path}/${first}/notes/${items[0].id}`)).status).toBe(200)
    expect((await owner.send('DELETE', `${path}/${first}/notes/${items[0].id}`)).status).toBe(404)
    expect(JSON.parse((await owner.get(`${path}/${first}/notes`)).text).items).toEqual([written[1]])
  })

  test.each([
    ['nothing', ''],
    ['spaces alone', ' \n '],
    ['more than a note takes', 'x'.repeat(4001)],
  ])('do not hold %s', async (_, text) => {
    expect((await owner.sendJson('POST', `${path}/${first}/notes`, { text })).status).toBe(422)
  })

  test('are noted in the audit log without their text', async () => {
    await owner.sendJson('POST', `${path}/${second}/notes`, { text: 'between-ourselves' })
    const { text } = await owner.get('/api/v1/audit?q=submission.note')
    expect(JSON.parse(text).items[0]).toMatchObject({ action: 'submission.note', subject: second })
    expect(text).not.toContain('between-ourselves')
  })
})
