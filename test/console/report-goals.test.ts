import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { FiguresReport } from '../../src/report/figures.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { visit } from '../harness/visits.ts'

const forms = [aForm({ id: 'contact1', name: 'Contact' }), aForm({ id: 'feedback', name: 'Feedback' })]
const site = aSite({
  forms,
  files: { 'pages/offer.html': '<p>Offer</p>' },
  goals: [
    { name: 'Asked <us>', form: 'contact1' },
    { name: 'Gave feedback', form: 'feedback' },
    { name: 'Read the offer', page: '/offer' },
  ],
  funnels: [{ name: 'Quote', steps: [{ page: '/offer' }, { event: 'plan_chosen' }, { form: 'contact1' }] }],
})

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([site], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  // Two come to the offer, one of them chooses a plan and writes; a server sends another form.
  const cookies = await Promise.all([arrive(), arrive()])
  const headers = { cookie: cookies[0] ?? '', 'user-agent': browser }
  await box.send(eventRequest({ headers }))
  submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test' }, headers })))
  submissionIdOf(await box.send(formRequest({ fields: { email: 'bob@example.test' }, form: 'feedback' })))
  await report()
}, boxStartMsMax)
afterAll(() => box.stop())

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Somebody views the offer; answers the cookie. */
async function arrive(): Promise<string> {
  const { headers } = await box.send(visit('/offer'))
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  return cookie
}

const report = async (): Promise<FiguresReport> => JSON.parse((await box.run(['report', 'acme', '--json'])).stdout)

const goalsOf = ({ goals, funnels }: FiguresReport) => ({
  goals: goals.map(({ name, visits, times }) => [name, visits, times]),
  funnel: funnels.map(({ steps }) => steps.map(({ visits }) => visits)),
})

describe('goals and funnels', () => {
  test('are counted, and the command, the API and the page say the same', async () => {
    const read = await report()
    expect(goalsOf(read)).toEqual({
      goals: [
        ['Asked <us>', 1, 1],
        ['Gave feedback', 0, 1],
        ['Read the offer', 2, 2],
      ],
      funnel: [[2, 1, 1]],
    })
    expect(read.goals[0]).toMatchObject({ form: 'contact1', ofVisits: 2, conversion: 50 })
    const { text } = await owner.get('/api/v1/accounts/acme/report')
    expect(goalsOf(JSON.parse(text))).toEqual(goalsOf(read))
    const page = await owner.get('/a/acme/report')
    expect(page.text).toContain('Asked &lt;us&gt;')
    expect(page.text).toContain('50.0% of the visits that reached the first step also reached the last.')
  })

  test('come as CSV and as text', async () => {
    const { text } = await owner.get('/api/v1/accounts/acme/report?format=csv&table=funnels')
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      'name,step,form,event,page,visits',
      'Quote,1,,,/offer,2',
      'Quote,2,,plan_chosen,,1',
    ])
    const { stdout } = await box.run(['report', 'acme'])
    expect(stdout).toContain('Asked <us>')
    expect(stdout).toContain('Funnel: Quote')
  })

  test('are taken back with the person who did them', async () => {
    expect((await box.run(['person', 'erase', 'acme', 'ada@example.test', '--yes'])).status).toBe(0)
    expect(goalsOf(await report())).toEqual({
      goals: [
        ['Asked <us>', 0, 0],
        ['Gave feedback', 0, 1],
        ['Read the offer', 1, 1],
      ],
      funnel: [[1, 0, 0]],
    })
  })

  test('keep their figures under another name, and begin anew when they count something else', async () => {
    await box.apply({
      ...site,
      goals: [
        { name: 'Offer', page: '/offer/' },
        { name: 'Terms', page: '/terms' },
      ],
      funnels: [],
    })
    expect(goalsOf(await report())).toEqual({
      goals: [
        ['Offer', 1, 1],
        ['Terms', 0, 0],
      ],
      funnel: [],
    })
  })
})
