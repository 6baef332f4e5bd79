import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite } from '../../harness/a-site.ts'
import { Box, boxStartMsMax } from '../../harness/box.ts'
import { formRequest, submissionIdOf } from '../../harness/capture-requests.ts'
import { ConsoleVisitor } from '../../harness/console-visitor.ts'
import { eventually } from '../../harness/eventually.ts'
import { builtExecutable } from '../../harness/executable.ts'
import { Receiver } from '../../harness/receiver.ts'

const form = aForm({ schema: { properties: { email: {}, interest: {} } } })
const when = { field: 'interest', is: ['kitchen'] }

let box: Box
let owner: ConsoleVisitor
let receiver: Receiver
/** Of submissions that came before the destination and that it wants, in order. */
let earlier: string[]

const send = async (interest: string, email = `${crypto.randomUUID()}@example.test`): Promise<string> =>
  submissionIdOf(await box.send(formRequest({ fields: { email, interest } })))

beforeAll(async () => {
  receiver = new Receiver()
  box = await Box.start([aSite({ forms: [form] })], {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
  })
  owner = await ConsoleVisitor.owner(box)
  const [first, erased, second] = [
    await send('kitchen'),
    await send('kitchen', 'gone@example.test'),
    await send('kitchen', 'twice@example.test'),
  ]
  await send('garden')
  const repeated = await send('kitchen', 'twice@example.test')
  expect((await box.run(['person', 'erase', 'acme', 'gone@example.test', '--yes'])).status).toBe(0)
  earlier = [first, second, repeated]
  expect(earlier).not.toContain(erased)
  const deliveries = [{ name: 'crm', kind: 'webhook', url: receiver.url(), when }]
  await box.apply(aSite({ forms: [form], deliveries }))
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await receiver[Symbol.asyncDispose]()
})

const backfill = async (...options: string[]) => {
  const { status, stdout, stderr } = await box.run(['delivery', 'backfill', 'acme', 'crm', ...options, '--json'])
  return { status, stderr, ...JSON.parse(stdout || '{}') }
}

test('what came before a destination is sent to it once each, marked, and as its condition says', async () => {
  expect(await backfill('--since', '1h', '--dry-run')).toMatchObject({ status: 0, submissions: 3 })
  const page = await owner.get('/a/acme/deliveries?backfill=crm&from=2026-01-01')
  expect(page.text).toContain('Send 3 leads</button>')
  expect(receiver.received).toEqual([])
  expect(await backfill('--since', '1h')).toMatchObject({ status: 0, submissions: 3, paused: false })
  await receiver.got(3)
  expect(await backfill('--since', '1h')).toMatchObject({ submissions: 0 })
  const later = await send('kitchen')
  await receiver.got(4)
  expect(receiver.ids.toSorted()).toEqual([...earlier, later].toSorted())
  const bodies = receiver.received.map(({ body }) => JSON.parse(body))
  expect(bodies.map(({ data, backfilled }) => [data.submissionId, backfilled ?? false]).toSorted()).toEqual(
    [...earlier.map((id) => [id, true]), [later, false]].toSorted(),
  )
  for (const { data, timestamp } of bodies) expect(timestamp).toBe(data.receivedAt)
})

test('the API counts and sends alike', async () => {
  const path = '/api/v1/accounts/acme/destinations/crm/backfill?since=1h'
  const counted = await owner.send('POST', `${path}&dryRun=true`)
  expect([counted.status, JSON.parse(counted.text)]).toEqual([200, { submissions: 0 }])
  expect(JSON.parse((await owner.send('POST', path)).text)).toEqual({ submissions: 0 })
})

test('a destination of reports gets none, and a time has to be one', async () => {
  const deliveries = [
    { name: 'crm', kind: 'webhook', url: receiver.url(), when },
    { name: 'monthly', kind: 'report', to: ['owner@acme.example'], every: 'month' },
  ]
  await box.apply(aSite({ forms: [form], deliveries }))
  const refused = await box.run(['delivery', 'backfill', 'acme', 'monthly', '--since', '1h'])
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('gets no submissions')
  expect((await backfill('--since', 'yesterday')).status).toBe(2)
  expect((await backfill()).status).toBe(2)
})

test('killed as soon as it sends, and done again, it still sends each once', async () => {
  const ids = new Set<string>()
  for (let index = 0; index < 400; index++) ids.add(await send('bath'))
  const deliveries = [
    { name: 'baths', kind: 'webhook', url: receiver.url('/baths'), when: { field: 'interest', is: ['bath'] } },
  ]
  await box.apply(aSite({ forms: [form], deliveries }))
  const argv = ['delivery', 'backfill', 'acme', 'baths', '--since', '1h']
  const got = () =>
    receiver.received.filter(({ path }) => path === '/baths').map(({ headers }) => headers['webhook-id'])
  for (let kill = 0; kill < 3; kill++) {
    const before = got().length
    const running = Bun.spawn([await builtExecutable(), ...argv, '--config', `${box.dir}/capture.toml`], {
      stdout: 'ignore',
    })
    await eventually('it sends, or has nothing left to', async () => got().length > before || running.exitCode !== null)
    running.kill('SIGKILL')
    await running.exited
  }
  expect((await box.run(argv)).status).toBe(0)
  await eventually('all have arrived', async () => new Set(got()).size === ids.size)
  expect(got()).toHaveLength(ids.size)
})
