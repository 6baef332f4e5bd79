import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([aSite({ forms: [aForm()] })], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  for (const name of ['Ada', '=cmd()', 'Grace', 'Robot']) {
    const robot = name === 'Robot' ? { _hp: 'filled' } : {}
    await box.send(formRequest({ fields: { email: `${name.length}@example.test`, name, number: 12, ...robot } }))
  }
  await box.send(eventRequest())
}, boxStartMsMax)
afterAll(() => box.stop())

const exported = (path: string) => owner.get(`/api/v1/accounts/acme/export/${path}`)

const command = async (...argv: string[]) => (await box.run(['export', 'acme', ...argv])).stdout

test.each([
  ['submissions', ['submissions']],
  ['submissions?status=refused', ['submissions', '--refused']],
  ['submissions?status=all&test=true', ['submissions', '--all', '--test']],
  ['submissions?format=csv', ['submissions', '--format', 'csv']],
  ['submissions?format=csv&separator=semicolon&excel=true', ['submissions', '--separator', 'semicolon', '--excel']],
  ['submissions?since=1h', ['submissions', '--since', '1h']],
  ['submissions?until=2020-01-01', ['submissions', '--until', '2020-01-01']],
  ['events', ['events']],
  ['events?format=csv', ['events', '--format', 'csv']],
  ['persons', ['persons']],
  ['persons?format=csv&since=1d', ['persons', '--format', 'csv', '--since', '1d']],
])('%s gives what the command gives', async (path, argv) => {
  const { status, text } = await exported(path)
  expect([status, text]).toEqual([200, await command(...argv)])
})

test('comes as a download of its kind', async () => {
  const { headers } = await exported('persons?format=csv')
  expect(headers.get('content-type')).toStartWith('text/csv')
  expect(headers.get('content-disposition')).toBe('attachment; filename="acme-persons.csv"')
  expect((await exported('events')).headers.get('content-type')).toStartWith('application/x-ndjson')
})

test.each(['submissions?since=yesterday', 'events?status=all', 'persons?separator=tab', 'events?since=1h&until=2h'])(
  '%s is refused',
  async (path) => {
    expect((await exported(path)).status).toBe(422)
  },
)

test('the audit log names who exported what', async () => {
  await exported('events')
  const { items } = JSON.parse((await owner.get('/api/v1/audit?q=export.read')).text)
  expect(items[0]).toMatchObject({ account: 'acme', action: 'export.read', subject: 'events', outcome: 'done' })
})

describe('a client', () => {
  test('exports nothing', async () => {
    const client = new ConsoleVisitor(box)
    await client.accept(await ConsoleVisitor.invite(box, ['c@acme.example', '--account', 'acme', '--role', 'client']))
    for (const what of ['submissions', 'events', 'persons'])
      expect((await client.get(`/api/v1/accounts/acme/export/${what}`)).status).toBe(403)
  })
})
