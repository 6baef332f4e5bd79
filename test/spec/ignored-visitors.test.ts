// docs/reports.md, "Own visits": from an ignored address nothing is counted, and the answers are those of everybody.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'

let box: Box
let link: string

const ignored = ['203.0.113.7', '198.51.100.9', '2001:db8:7::1', '::ffff:203.0.113.7']
const counted = ['203.0.113.8', '2001:db8:8::1']

beforeAll(async () => {
  const acme = aSite({
    files: { 'pages/launch.html': '<title>Launch</title>' },
    ignore: ['203.0.113.7/32', '::ffff:198.51.100.0/120', '2001:db8:7::/48'],
    tracking: { key: aSite().tracking.key, require_opt_in: false },
    forms: [aForm()],
  })
  box = await Box.start([acme], { server: { trusted_proxies: ['127.0.0.1/32'] } })
  const signed = await box.run(['link', 'sign', 'acme', '--to', 'http://go.acme.test/launch', '--message', 'news'])
  link = new URL(signed.stdout.trim()).pathname
}, boxStartMsMax)

afterAll(() => box.stop())

const from = (address: string) => ({ 'x-forwarded-for': address })

async function allFrom(address: string): Promise<{ statuses: number[]; submission: string }> {
  const headers = from(address)
  const view = await box.send(visit('/launch', { headers }))
  const click = await box.send(visit(link, { headers }))
  const event = await box.send(eventRequest({ headers }))
  const form = await box.send(formRequest({ fields: { email: `${crypto.randomUUID()}@example.test` }, headers }))
  return { statuses: [view, click, event, form].map(({ status }) => status), submission: submissionIdOf(form) }
}

describe('from an address that the account ignores', () => {
  test('the answers are those of everybody, and no view, event, click or lead is counted', async () => {
    const told = await Promise.all([...ignored, ...counted].map(allFrom))
    expect(told.map(({ statuses }) => statuses)).toEqual(told.map(() => [200, 302, 202, 200]))
    await eventually('what counts is counted', async () => (await totals()).views === counted.length)
    const { views, events, leads, clicks } = await totals()
    const all = clicks.human + clicks.suspected + clicks.machine
    expect({ views, events, leads, all }).toEqual({ views: 2, events: 2, leads: 2, all: 2 })
  })

  test('a form is stored as a test', async () => {
    const { submission } = await allFrom('203.0.113.7')
    const { stdout } = await box.run(['export', 'acme', 'submissions', '--test'])
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { submissionId: string; test: boolean })
    expect(records.find(({ submissionId }) => submissionId === submission)?.test).toBe(true)
  })
})

interface Totals {
  views: number
  events: number
  leads: number
  clicks: Record<'human' | 'suspected' | 'machine', number>
}

async function totals(): Promise<Totals> {
  const { stdout } = await box.run(['report', 'acme', '--json'])
  return (JSON.parse(stdout) as { totals: Totals }).totals
}
