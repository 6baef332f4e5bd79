import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SubmissionRecord } from '../../src/report/record.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
const sent: string[] = []
beforeAll(async () => {
  box = await Box.start([aSite({ forms: [aForm(), aForm({ id: 'contact2' })] })], {
    console: { listen: '127.0.0.1:0' },
  })
  owner = await ConsoleVisitor.owner(box)
  for (const name of ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald']) {
    const form = name === 'Barbara' ? 'contact2' : 'contact1'
    const more = name === 'Edsger' ? { quoted: 'She said "Hello"\nto us' } : {}
    const fields = { email: `${name.toLowerCase()}@example.test`, message: `From ${name}`, number: 12, ...more }
    sent.unshift(submissionIdOf(await box.send(formRequest({ form, fields }))))
  }
}, boxStartMsMax)
afterAll(() => box.stop())

interface List {
  items: SubmissionRecord[]
  next: string | null
}

const list = async (query: string, visitor = owner): Promise<List> =>
  JSON.parse((await visitor.get(`/api/v1/accounts/acme/submissions${query}`)).text)

const idsOf = ({ items }: List) => items.map(({ submissionId }) => submissionId)

describe('the list of submissions', () => {
  test('has the latest first, as they are exported', async () => {
    const { items, next } = await list('')
    expect(items.map(({ submissionId }) => submissionId)).toEqual(sent)
    expect(next).toBeNull()
    const exported = await box.submissions()
    expect(items.toReversed() as unknown[]).toEqual(exported as unknown[])
  })

  test('goes on behind the last one of a page, whatever arrives meanwhile', async () => {
    const first = await list('?limit=2&form=contact1')
    submissionIdOf(await box.send(formRequest({ form: 'contact2', fields: { email: 'later@example.test' } })))
    const second = await list(`?limit=2&form=contact1&cursor=${first.next}`)
    const rest = await list(`?limit=50&form=contact1&cursor=${second.next}`)
    const ofForm = sent.filter((_, at) => at !== 1)
    expect([...idsOf(first), ...idsOf(second), ...idsOf(rest)]).toEqual(ofForm)
  })

  test.each([
    ['a value, in any case', '?q=FROM%20grace', 1],
    ['an address', '?q=edsger%40example.test', 1],
    ['nothing that is there', '?q=nobody-wrote-this', 0],
    ['one form', '?form=contact2&q=Barbara', 1],
    ['quotes and lines within a value', `?q=${encodeURIComponent('said "hello"\nto')}`, 1],
    ['what is refused', '?status=refused', 0],
  ])('finds %s', async (_, query, count) => {
    expect((await list(query)).items).toHaveLength(count)
  })

  test('comes as CSV with a column for each field that is declared', async () => {
    const { text, headers } = await owner.get('/api/v1/accounts/acme/submissions?format=csv&limit=2')
    expect(text).toStartWith('submissionId,formId')
    expect(headers.get('link')).toContain('rel="next"')
  })
})

describe('a client', () => {
  let client: ConsoleVisitor
  beforeAll(async () => {
    client = new ConsoleVisitor(box)
    await client.accept(
      await ConsoleVisitor.invite(box, ['client@acme.example', '--account', 'acme', '--role', 'client']),
    )
  })

  test('sees which fields were filled in, and nothing of who filled them in', async () => {
    const { text } = await client.get('/api/v1/accounts/acme/submissions')
    for (const personal of ['Grace', 'grace@example.test', '127.0.0.1']) expect(text).not.toContain(personal)
    expect((JSON.parse(text) as List).items[0]?.fields).toMatchObject({ email: '•••' })
    const one = await client.get(`/api/v1/accounts/acme/submissions/${sent[0]}`)
    expect(one.text).not.toContain('donald@example.test')
  })

  test.each(['?q=grace', '?status=refused', '?state=new'])('does not list by %s', async (query) => {
    expect((await client.get(`/api/v1/accounts/acme/submissions${query}`)).status).toBe(403)
  })
})

describe('one submission', () => {
  test('is read by its id, and one that is not there is not found', async () => {
    const { text } = await owner.get(`/api/v1/accounts/acme/submissions/${sent[0]}`)
    expect(JSON.parse(text)).toMatchObject({ submissionId: sent[0], fields: { message: 'From Donald' } })
    const none = await owner.get('/api/v1/accounts/acme/submissions/no-such-id')
    expect([none.status, none.text.includes('no-such-id')]).toEqual([404, false])
  })

  test('that was accepted is not released, and the audit log says who tried', async () => {
    const { text } = await owner.send('POST', `/api/v1/accounts/acme/submissions/${sent[0]}/release`)
    expect(JSON.parse(text)).toMatchObject({ submissionId: sent[0], released: false, releasedAt: null })
    const { items } = JSON.parse((await owner.get('/api/v1/audit?q=submission.release')).text)
    expect(items[0]).toMatchObject({ account: 'acme', action: 'submission.release', subject: sent[0] })
  })
})
