// docs/splits.md: a report has the visits and leads of each version, whatever is erased or released.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { cookieHeaderOf } from '../harness/cookies.ts'
import { eventually } from '../harness/eventually.ts'
import { jsonOf } from '../harness/http.ts'
import { visit } from '../harness/visits.ts'

const titles = { a: '<title>A</title>', b: '<title>B</title>' }
type Version = keyof typeof titles

let box: Box

interface Visitor {
  version: Version
  cookie: string
}

/** Visitors of the split page, each from an address of their own. */
const visitors: Visitor[] = []
const shown = (version: Version): Visitor[] => visitors.filter((visitor) => visitor.version === version)
const referer = 'http://go.acme.test/launch'

async function sends(visitor: Visitor | undefined, fields: Record<string, string>): Promise<string> {
  const answer = await box.send(formRequest({ fields, headers: { cookie: visitor?.cookie ?? '', referer } }))
  return answer.status === 200 ? submissionIdOf(answer) : String(jsonOf(answer).submissionId)
}

beforeAll(async () => {
  const files = { 'pages/launch.html': titles.a, 'pages/launch-b.html': titles.b }
  const splits = [{ page: 'launch', variants: [{ name: 'b', page: 'launch-b', share: 50 }] }]
  box = await Box.start([aSite({ files, splits, forms: [aForm()] })], { server: { trusted_proxies: ['127.0.0.1/32'] } })
  for (let last = 1; last <= 40; last++) {
    const answer = await box.send(visit('/launch', { headers: { 'x-forwarded-for': `203.0.113.${last}` } }))
    visitors.push({ version: answer.text === titles.b ? 'b' : 'a', cookie: cookieHeaderOf(answer) })
  }
  const [first, second, third] = shown('b')
  // Not another visit.
  await box.send(visit('/launch', { headers: { cookie: first?.cookie ?? '' } }))
  await sends(first, { email: 'ada@example.test' })
  // A likely duplicate.
  await sends(first, { email: 'ada@example.test' })
  await sends(second, { email: 'ben@example.test' })
  await sends(third, { email: 'bot@example.test', _hp: 'filled' })
  await sends(shown('a')[0], { email: 'cleo@example.test' })
}, boxStartMsMax)

afterAll(() => box.stop())

interface Split {
  page: string
  variants: { name: string; visits: number; leads: number; conversion: number | null; low: number; high: number }[]
  verdict: string
}

async function split(): Promise<Split | undefined> {
  const { stdout } = await box.run(['report', 'acme', '--json'])
  return (JSON.parse(stdout) as { splits: Split[] }).splits[0]
}

const counted = (split: Split | undefined) => split?.variants.map(({ name, visits, leads }) => [name, visits, leads])

const expectCounts = (a: [visits: number, leads: number], b: [visits: number, leads: number]): Promise<void> =>
  eventually(`versions have ${a} and ${b}`, async () =>
    Bun.deepEquals(counted(await split()), [
      ['a', ...a],
      ['b', ...b],
    ]),
  )

test('visits and leads of each version are counted, without duplicates and quarantine', async () => {
  expect(shown('a').length).toBeGreaterThan(5)
  expect(shown('b').length).toBeGreaterThan(5)
  await expectCounts([shown('a').length, 1], [shown('b').length, 2])
  expect((await split())?.verdict).toBe('no difference yet')
})

test('the terminal shows versions, intervals and verdict', async () => {
  const { stdout } = await box.run(['report', 'acme'])
  expect(stdout).toContain('Versions of /launch: no difference yet')
  expect(stdout).toMatch(new RegExp(`^b +${shown('b').length} +2 +[0-9.]+% +[0-9.]+% +[0-9.]+%$`, 'm'))
})

test('a released submission counts for the version it was sent from', async () => {
  const [refused] = (await box.submissions()).filter(({ status }) => status === 'refused')
  expect((await box.run(['submission', 'release', 'acme', refused?.submissionId ?? ''])).status).toBe(0)
  await expectCounts([shown('a').length, 1], [shown('b').length, 3])
})

test('an erased person’s visits and leads are taken back', async () => {
  expect((await box.run(['person', 'erase', 'acme', 'ada@example.test', '--yes'])).status).toBe(0)
  await expectCounts([shown('a').length, 1], [shown('b').length - 1, 2])
})
