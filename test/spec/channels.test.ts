// docs/reports.md, "What works": channels over the wire, from the first visit to the report, whatever is released or erased.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { cookieHeaderOf } from '../harness/cookies.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'

let box: Box

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'
const desktop = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ad = '/launch?utm_source=ads&utm_medium=cpc&utm_campaign=spring'

async function visitor(path: string, more: Record<string, string> = {}): Promise<Record<string, string>> {
  const headers = { 'user-agent': desktop, ...more }
  const answer = await box.send(visit(path, { headers }))
  return { ...headers, cookie: cookieHeaderOf(answer) }
}

beforeAll(async () => {
  const files = { 'pages/launch.html': '<title>Launch</title>', 'pages/prices.html': '<title>Prices</title>' }
  const goals = [{ name: 'Saw the offer', page: '/launch' }]
  box = await Box.start([aSite({ files, home: 'launch', forms: [aForm()], goals })])
  const ada = await visitor(ad, { 'user-agent': phone })
  // The visit stays the advert's, whatever its visitor follows next.
  await box.send(visit('/prices?utm_source=letter', { headers: ada }))
  const ben = await visitor('/prices', { referer: 'https://www.google.com/' })
  await visitor('/')
  const eve = await visitor(ad)
  await box.send(formRequest({ fields: { email: 'ben@example.test' }, headers: ben }))
  await box.send(formRequest({ fields: { email: 'eve@example.test', _hp: 'x' }, headers: eve }))
  submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test' }, headers: ada })))
}, boxStartMsMax)

afterAll(() => box.stop())

type Row = { name: string; visits: number; visitors: number; leads: number; conversion: number | null }
interface Report {
  totals: { visits: number; visitors: number; leads: number }
  channels: Record<string, Row[]>
  goals: { visits: number }[]
}

async function report(): Promise<Report> {
  const { stdout } = await box.run(['report', 'acme', '--json'])
  return JSON.parse(stdout) as Report
}

const rowsOf = ({ channels }: Report, table: string) =>
  channels[table]?.map(({ name, visits, visitors, leads, conversion }) => [name, visits, visitors, leads, conversion])

test('a visit belongs to the touch that began it, and a lead to the last that told', async () => {
  await eventually('all is counted', async () => {
    const { totals } = await report()
    return totals.visits === 4 && totals.leads === 2
  })
  const found = await report()
  expect(rowsOf(found, 'sources')).toEqual([
    ['ads', 2, 2, 0, 0],
    ['google', 1, 1, 1, 100],
    ['direct', 1, 1, 0, 0],
    ['letter', 0, 0, 1, null],
  ])
  expect(rowsOf(found, 'campaigns')).toEqual([
    ['(none)', 2, 2, 2, 100],
    ['spring', 2, 2, 0, 0],
  ])
  expect(rowsOf(found, 'entryPages')).toEqual([
    ['/launch', 2, 2, 0, 0],
    ['/prices', 1, 1, 2, null],
    ['/', 1, 1, 0, 0],
  ])
  expect(rowsOf(found, 'devices')).toEqual([
    ['desktop', 3, 3, 1, 33.3],
    ['phone', 1, 1, 1, 100],
  ])
})

test('a view of / is one of the home page', async () => {
  expect((await report()).goals[0]?.visits).toBe(3)
})

test('an erasure takes visits, visitors and leads back from their channels', async () => {
  await box.run(['person', 'erase', 'acme', 'ada@example.test', '--yes'])
  const found = await report()
  expect(rowsOf(found, 'sources')).toEqual([
    ['google', 1, 1, 1, 100],
    ['ads', 1, 1, 0, 0],
    ['direct', 1, 1, 0, 0],
  ])
  expect(rowsOf(found, 'devices')).toEqual([['desktop', 3, 3, 1, 33.3]])
})

test('a released submission is a lead of its channel', async () => {
  const [refused] = (await box.submissions()).filter(({ status }) => status === 'refused')
  expect((await box.run(['submission', 'release', 'acme', refused?.submissionId ?? ''])).status).toBe(0)
  await eventually('the lead is counted', async () => (await report()).totals.leads === 2)
  expect(rowsOf(await report(), 'sources')?.find(([name]) => name === 'ads')).toEqual(['ads', 1, 1, 1, 100])
})

test('a submission that is refused later is a lead of no channel', async () => {
  const [released] = (await box.submissions()).filter(({ identity }) => identity.email === 'eve@example.test')
  expect((await box.run(['submission', 'refuse', 'acme', released?.submissionId ?? ''])).status).toBe(0)
  await eventually('the lead is taken back', async () => (await report()).totals.leads === 1)
  const { totals, channels } = await report()
  for (const rows of Object.values(channels)) {
    expect(rows.reduce((sum, { leads }) => sum + leads, 0)).toBe(totals.leads)
    expect(rows.reduce((sum, { visits }) => sum + visits, 0)).toBe(totals.visits)
    expect(rows.reduce((sum, { visitors }) => sum + visitors, 0)).toBe(totals.visitors)
  }
})

test('the terminal shows a table of each division', async () => {
  const { stdout } = await box.run(['report', 'acme'])
  expect(stdout).toContain('What works, by source')
  expect(stdout).toMatch(/google +1 +1 +100\.0%/)
})
