import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'

const hostile = '<script>alert(1)</script>\u202e"><img src=x onerror=alert(2)>'

let box: Box
let owner: ConsoleVisitor
let receiver: Receiver
let submission: string
beforeAll(async () => {
  receiver = new Receiver({ answer: () => new Response(hostile, { status: 500 }) })
  const deliveries = [
    { name: 'crm', kind: 'webhook', url: receiver.url() },
    { name: 'other', kind: 'webhook', url: receiver.url('/other') },
  ]
  box = await Box.start([aSite({ deliveries })], {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
  })
  owner = await ConsoleVisitor.owner(box)
  submission = submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test' } })))
  await eventually('both destinations have answered', async () => (await list()).every(({ attempts }) => attempts > 0))
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await receiver[Symbol.asyncDispose]()
})

interface Row {
  id: string
  destination: string
  state: string
  attempts: number
  nextAt: string
}

const api = async (method: string, path: string) => {
  const { status, text } = await owner.send(method, `/api/v1/accounts/acme${path}`)
  return { status, body: JSON.parse(text) }
}
const page = async (query: string): Promise<{ items: Row[]; next: string | null }> =>
  (await api('GET', `/deliveries${query}`)).body
async function list(query = ''): Promise<Row[]> {
  const { items } = await page(query)
  if (items.length === 0 && query === '') return [{ id: '', destination: '', state: '', attempts: 0, nextAt: '' }]
  return items
}

describe('the list of deliveries', () => {
  test('has the rows of `delivery list --json`', async () => {
    await owner.send('POST', '/api/v1/accounts/acme/destinations/crm/pause')
    await owner.send('POST', '/api/v1/accounts/acme/destinations/other/pause')
    const { stdout } = await box.run(['delivery', 'list', 'acme', '--json'])
    expect((await page('')).items).toEqual(JSON.parse(stdout))
  })

  test('goes on where the page before ended', async () => {
    const first = await page('?limit=1')
    const second = await page(`?limit=1&cursor=${first.next}`)
    expect([...first.items, ...second.items]).toEqual(await list())
    expect(second.next).toBeNull()
  })

  test.each([
    ['a destination', () => '?q=CRM', 1],
    ['a submission', () => `?q=${submission}`, 2],
    ['an error', () => '?q=answered%20500', 2],
    ['a state', () => '?state=delivered', 0],
    ['another state', () => '?state=waiting&q=other', 1],
    ['nothing', () => '?q=nowhere', 0],
  ])('finds %s', async (_, query, count) => {
    expect((await page(query())).items).toHaveLength(count)
  })

  test('is CSV where that is asked for', async () => {
    const { text } = await owner.get('/api/v1/accounts/acme/deliveries?format=csv')
    expect(text.split('\r\n')[0]).toStartWith('createdAt,id,destination,kind,submissionId,state')
    expect(text).toContain(submission)
  })

  test('refuses a cursor of another list', async () => {
    expect((await api('GET', `/deliveries?cursor=${Buffer.from('x').toString('base64url')}`)).status).toBe(422)
  })
})

describe('one delivery', () => {
  test('is that of `delivery show --json`, with what the receiver answered', async () => {
    const [{ id } = { id: '' }] = await list('?q=crm')
    const { body } = await api('GET', `/deliveries/${id}`)
    const { stdout } = await box.run(['delivery', 'show', 'acme', id, '--json'])
    expect(body).toEqual(JSON.parse(stdout))
    expect(JSON.stringify(body.exchanges)).toContain('alert(1)')
  })

  test('that is not there is 404, for a retry too', async () => {
    expect((await api('GET', '/deliveries/0190b7a0-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await api('POST', '/deliveries/0190b7a0-0000-7000-8000-000000000000/retry')).status).toBe(404)
  })

  test('becomes due at once', async () => {
    const [{ id } = { id: '' }] = await list('?q=crm')
    const { body } = await api('POST', `/deliveries/${id}/retry`)
    expect(body).toEqual({ account: 'acme', retried: 1, paused: ['crm'] })
    const [{ nextAt } = { nextAt: '' }] = await list('?q=crm')
    expect(Date.parse(nextAt)).toBeLessThanOrEqual(Date.now())
  })

  test('is tried with all of its destination', async () => {
    expect((await api('POST', '/deliveries/retry?destination=other')).body).toMatchObject({ retried: 1 })
    expect((await api('POST', '/deliveries/retry?destination=nowhere')).status).toBe(404)
    expect((await api('POST', '/deliveries/retry?destination=other&failed=true')).status).toBe(422)
  })
})

describe('a destination', () => {
  test('is listed with how it fares', async () => {
    const { body } = await api('GET', '/destinations?q=crm')
    expect(body.items).toEqual([
      {
        name: 'crm',
        kind: 'webhook',
        to: receiver.url(),
        forms: null,
        confirmed: false,
        paused: true,
        waiting: 1,
        failed: 0,
        pauseReason: 'hand',
        pausedAt: expect.any(String),
        failingSince: expect.any(String),
        deliveredAt: null,
        obstacle: null,
      },
    ])
  })

  test('shows the exchange of a test, and takes one while it is paused', async () => {
    const { status, body } = await api('POST', '/destinations/crm/test')
    expect([status, body.delivered, body.status]).toEqual([200, false, 500])
    expect(body.exchange).toContain('alert(1)')
  })

  // Bun ends idle connections after 10 s, and looks every 4 s; a receiver is given 15 s.
  test('may take longer to answer than a connection may be idle', async () => {
    const { answer } = receiver
    const heard = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await heard.promise
      return new Response('late')
    }
    const { status, body } = await api('POST', '/destinations/other/test')
    heard.resolve()
    receiver.answer = answer
    expect([status, body.delivered]).toEqual([200, false])
  })

  test('gets a new secret, shown once', async () => {
    const { body } = await api('POST', '/destinations/crm/secret/rotate')
    expect(body).toEqual({
      account: 'acme',
      destination: 'crm',
      secret: expect.stringMatching(/^whsec_/),
      oldSignsUntil: expect.any(String),
    })
    expect((await owner.get('/api/v1/audit?q=destination.secret.rotate')).text).not.toContain(body.secret)
  })

  test.each(['pause', 'resume', 'test', 'secret/rotate'])('that is not there is 404: %s', async (act) => {
    expect((await api('POST', `/destinations/nowhere/${act}`)).status).toBe(404)
  })

  test('sends again once it is resumed', async () => {
    receiver.answer = () => new Response('thanks')
    expect((await api('POST', '/destinations/crm/resume')).body).toMatchObject({ paused: false })
    await eventually('the delivery is made', async () =>
      (await list('?q=crm')).every(({ state }) => state === 'delivered'),
    )
  })
})
