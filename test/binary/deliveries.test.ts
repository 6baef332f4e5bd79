import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ASite, aForm, aSite, writeSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { makeChain } from '../harness/certificate-chain.ts'
import { buildMsMax } from '../harness/executable.ts'
import { Receiver, signedBy } from '../harness/receiver.ts'
import { BinaryBox } from './harness/binary-box.ts'
import {
  applyDeliveries,
  aWebhook,
  type DeliveryRow,
  deliveriesBecome,
  deliveriesOf,
  deliveryBox,
  loopbackAllowed,
  rowsBecome,
} from './harness/delivery-box.ts'
import type { RunningServer } from './harness/program.ts'

// Deliveries (docs/deliveries.md), with the executable and receivers on loopback.

const inFile = async (box: BinaryBox, name: string, text: string): Promise<string> => {
  const file = join(box.dir, name)
  await Bun.write(file, text)
  return file
}

/** Serves all accounts that need no configuration of their own. */
let box: BinaryBox
let server: RunningServer
beforeAll(async () => {
  box = await deliveryBox()
  server = await box.serve()
}, buildMsMax)
afterAll(() => box[Symbol.asyncDispose]())

/** An account of its own on that box. */
function studio(account: string) {
  const deliveries = () => deliveriesOf(box, account)
  return {
    deliveries,
    deliveriesBecome: (what: string, holds: (rows: DeliveryRow[]) => boolean) => rowsBecome(deliveries, what, holds),
    apply: (to: Parameters<typeof applyDeliveries>[1], overrides: Partial<ASite> = {}) =>
      applyDeliveries(box, to, { account, ...overrides }),
    send: (form: Parameters<typeof formRequest>[0] = {}) => server.send(formRequest({ account, ...form })),
  }
}

describe('a webhook', () => {
  test('gets each accepted submission as it is exported, over TLS of a private authority, signed with the printed secret', async () => {
    const chain = makeChain('localhost')
    await using receiver = new Receiver({ tls: { cert: chain.certificate, key: chain.key } })
    const delivery = { allow_private: ['127.0.0.0/8', '::1/128'], ca_file: 'receiver-ca.pem' }
    await using box = await BinaryBox.make({ delivery })
    await inFile(box, 'receiver-ca.pem', chain.root)
    const secrets = await applyDeliveries(box, [aWebhook(receiver.url('/hook?a=1', 'localhost'))])
    await using server = await box.serve()
    const id = submissionIdOf(await server.send(formRequest({ fields: { email: 'ada@example.test', n: 1 } })))
    const [received] = await receiver.got(1)
    expect(received).toMatchObject({ path: '/hook?a=1', headers: { 'webhook-id': id } })
    expect(received?.headers.host).toStartWith('localhost:')
    expect(received && signedBy(received, [secrets.crm ?? ''])).toEqual([secrets.crm ?? ''])
    const [record] = await box.submissions()
    expect(JSON.parse(received?.body ?? '')).toEqual({
      type: 'submission.accepted',
      timestamp: record?.receivedAt,
      data: record,
    })
    await deliveriesBecome(box, 'it is settled', ([row]) => row?.state === 'delivered')
    expect(await deliveriesOf(box)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        destination: 'crm',
        kind: 'webhook',
        submissionId: id,
        state: 'delivered',
        paused: false,
        attempts: 1,
        createdAt: record?.receivedAt ?? '',
        nextAt: null,
        lastStatus: 200,
        lastError: null,
      },
    ])
  })

  test('of an unknown authority gets nothing, and the exchange says why', async () => {
    const chain = makeChain('localhost')
    await using receiver = new Receiver({ tls: { cert: chain.certificate, key: chain.key } })
    await using box = await BinaryBox.make({ delivery: { allow_private: ['127.0.0.0/8', '::1/128'] } })
    await applyDeliveries(box, [aWebhook(receiver.url('/hook', 'localhost'))])
    await using server = await box.serve()
    await server.send(formRequest())
    const [row] = await deliveriesBecome(box, 'it fails once', ([row]) => row?.attempts === 1)
    expect(row).toMatchObject({ state: 'waiting', lastStatus: null })
    expect(row?.lastError).toContain('authority')
    expect(receiver.received).toEqual([])
  })

  test('is signed with both secrets after a rotation, which applying the folder again does not undo', async () => {
    await using receiver = new Receiver()
    const at = studio('rotated')
    const { crm: first = '' } = await at.apply([aWebhook(receiver.url())])
    const rotated = JSON.parse(await box.done(['delivery', 'secret', 'rotate', 'rotated', 'crm', '--json']))
    expect(rotated).toMatchObject({ account: 'rotated', destination: 'crm' })
    expect(rotated.secret).toStartWith('whsec_')
    expect(await at.apply([aWebhook(receiver.url())])).toEqual({})
    await at.send()
    const [received] = await receiver.got(1)
    expect(received && signedBy(received, [first, rotated.secret])).toEqual([first, rotated.secret])
  })

  test('is tried again after a failure, with the same id and the same bytes, and not before the time it asked for', async () => {
    await using receiver = new Receiver({
      answer: () => new Response('busy', { status: 503, headers: { 'retry-after': '7' } }),
    })
    const at = studio('retried')
    await at.apply([aWebhook(receiver.url())])
    await at.send()
    await receiver.got(1)
    receiver.answer = () => new Response(null, { status: 204 })
    const [first, second] = await receiver.got(2)
    expect(second?.body).toBe(first?.body ?? '')
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'] ?? '')
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(6900)
    await at.deliveriesBecome('it is delivered', ([row]) => row?.state === 'delivered' && row.attempts === 2)
  })

  test('that redirects has failed, and nothing goes where it points', async () => {
    await using elsewhere = new Receiver()
    await using receiver = new Receiver({ answer: () => Response.redirect(elsewhere.url(), 307) })
    const at = studio('redirected')
    await at.apply([aWebhook(receiver.url())])
    await at.send()
    const [row] = await at.deliveriesBecome('it fails once', ([row]) => row?.attempts === 1)
    expect(row).toMatchObject({ state: 'waiting', lastStatus: 307 })
    expect(elsewhere.received).toEqual([])
  })

  test('that answers 410 is paused, and gets what waited once it is resumed', async () => {
    await using receiver = new Receiver({ answer: () => new Response('gone', { status: 410 }) })
    const at = studio('paused')
    await at.apply([aWebhook(receiver.url())])
    const first = submissionIdOf(await at.send({ fields: { email: 'a@example.test' } }))
    await at.deliveriesBecome('it is paused', ([row]) => row?.paused === true)
    const second = submissionIdOf(await at.send({ fields: { email: 'b@example.test' } }))
    await at.deliveriesBecome('the second waits', (rows) => rows.length === 2)
    expect(receiver.ids).toEqual([first])
    receiver.answer = () => new Response('ok')
    await box.done(['delivery', 'resume', 'paused', 'crm'])
    await receiver.got(3)
    expect(new Set(receiver.ids.slice(1))).toEqual(new Set([first, second]))
  })

  test('whose 2xx has a body that never ends has taken the delivery', async () => {
    const endless = () =>
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new Uint8Array(1024))
          await Bun.sleep(10)
        },
      })
    await using receiver = new Receiver({ answer: () => new Response(endless()) })
    const at = studio('endless')
    await at.apply([aWebhook(receiver.url())])
    await at.send()
    const [row] = await at.deliveriesBecome('it is settled', ([row]) => row?.attempts === 1)
    expect(row).toMatchObject({ state: 'delivered', lastStatus: 200 })
  })

  test('that is removed from the folder gets nothing more, and what waited for it is gone', async () => {
    await using receiver = new Receiver({ answer: () => new Response(null, { status: 500 }) })
    const at = studio('removed')
    await at.apply([aWebhook(receiver.url())])
    await at.send()
    await at.deliveriesBecome('it fails once', ([row]) => row?.attempts === 1)
    await at.apply([])
    expect(await at.deliveries()).toEqual([])
  })

  test('gets what visitors typed as they typed it', async () => {
    const hostile = {
      email: 'eve@example.test',
      message:
        '"}\r\nX-Injected: 1\r\n\r\n<script>alert(1)</script>\u0000\u202e\ud83d\ude08 \'; DROP TABLE delivery;--',
      __proto__x: { constructor: ['{{7*7}}'] },
    }
    await using receiver = new Receiver()
    const at = studio('hostile')
    const { crm = '' } = await at.apply([aWebhook(receiver.url())])
    await at.send({ fields: hostile })
    const [received] = await receiver.got(1)
    expect(JSON.parse(received?.body ?? '').data.fields).toEqual(hostile)
    expect(received && signedBy(received, [crm])).toEqual([crm])
    expect(Object.keys(received?.headers ?? {})).not.toContain('x-injected')
  })
})

describe('what is sent', () => {
  test('leaves out what was refused until it is released, and marks a likely duplicate', async () => {
    await using receiver = new Receiver()
    const at = studio('released')
    await at.apply([aWebhook(receiver.url())])
    await at.send({ fields: { email: 'bot@example.test', _hp: 'x' } })
    const first = submissionIdOf(await at.send({ fields: { email: 'a@example.test', message: 'hi' } }))
    const again = submissionIdOf(await at.send({ fields: { email: 'a@example.test', message: 'hi' } }))
    await receiver.got(2)
    const sent = receiver.received.map(({ body }) => JSON.parse(body))
    const duplicates = Object.fromEntries(sent.map(({ data }) => [data.submissionId, data.duplicateOf]))
    expect(duplicates).toEqual({ [first]: null, [again]: first })
    const [refused] = JSON.parse(await box.done(['submission', 'list', 'released', '--refused', '--json']))
    await box.done(['submission', 'release', 'released', refused.submissionId])
    await receiver.got(3)
    expect(JSON.parse(receiver.received[2]?.body ?? '')).toMatchObject({
      type: 'submission.accepted',
      data: { submissionId: refused.submissionId, status: 'accepted', refusedFor: 'honeypot' },
    })
  })

  test('is nothing from before the destination was there, and only of its forms', async () => {
    await using receiver = new Receiver()
    const at = studio('chosen')
    const forms = [aForm(), aForm({ id: 'contact2' })]
    await at.apply([], { forms })
    await at.send()
    await box.done(['export', 'chosen', 'submissions'])
    await at.apply([aWebhook(receiver.url(), { forms: ['contact2'] })], { forms })
    await at.send({ fields: { email: 'b@example.test' } })
    const wanted = submissionIdOf(await at.send({ form: 'contact2' }))
    await at.deliveriesBecome('one is delivered', (rows) => rows.some(({ state }) => state === 'delivered'))
    expect(receiver.ids).toEqual([wanted])
  })
})

test('hung receivers of one account delay no other account', async () => {
  const hanging = Promise.withResolvers<void>()
  await using hung = new Receiver({ answer: () => hanging.promise.then(() => new Response('late')) })
  await using receiver = new Receiver()
  await using box = await deliveryBox()
  const names = Array.from({ length: 30 }, (_, index) => `hung-${index}`)
  await applyDeliveries(
    box,
    names.map((name) => aWebhook(hung.url(`/${name}`), { name })),
  )
  await applyDeliveries(box, [aWebhook(receiver.url())], { account: 'bold', domains: ['go.bold.test'] })
  await using server = await box.serve()
  for (let sent = 0; sent < 5; sent++) await server.send(formRequest({ fields: { email: `a${sent}@example.test` } }))
  await hung.got(16)
  const id = submissionIdOf(await server.send(formRequest({ account: 'bold' })))
  await receiver.got(1)
  expect(receiver.ids).toEqual([id])
  const begun = hung.received.length
  const ended = (await deliveriesOf(box)).reduce((sum, { attempts }) => sum + attempts, 0)
  // A quarter of all attempts; on a slow machine some of them have timed out.
  expect(begun - ended).toBeLessThanOrEqual(16)
  hanging.resolve()
})

describe('apply', () => {
  test('refuses addresses that are not public, and changes nothing', async () => {
    await using box = await BinaryBox.make()
    const refused = [
      ['https://192.168.1.1/hook', 'not a public address'],
      ['https://[::ffff:10.0.0.1]/hook', 'not a public address'],
      ['https://0x7f.1/hook', 'not a public address'],
      ['https://2130706433/hook', 'not a public address'],
      ['https://[64:ff9b::7f00:1]/hook', 'not a public address'],
      ['https://169.254.169.254/latest/meta-data', 'not a public address'],
      ['https://localhost/hook', 'not a public address'],
      ['http://203.0.114.9/hook', 'https://'],
      ['https://203.0.114.9:25/hook', 'port 25'],
    ] as const
    const folder = join(box.dir, 'site')
    writeSite(folder, aSite({ deliveries: refused.map(([url], index) => aWebhook(url, { name: `hook-${index}` })) }))
    const { status, stderr } = await box.run(['apply', folder])
    expect(status).toBe(1)
    const faults = stderr.split('\n').flatMap((line) => /site\.toml:\d+ deliveries\[\d\]\.url: .*/.exec(line) ?? [])
    expect(faults).toEqual(
      refused.map(([, reason], index) =>
        expect.stringMatching(new RegExp(`deliveries\\[${index}\\]\\.url: .*${reason}`)),
      ),
    )
    expect(JSON.parse(await box.done(['account', 'list', '--json']))).toEqual({ accounts: [] })
  })

  test('allows what the operator allows', async () => {
    await using box = await BinaryBox.make({ delivery: { allow_private: ['10.0.0.0/8'] } })
    await applyDeliveries(box, [aWebhook('http://10.1.2.3:8080/hook')])
  })

  test('of an unchanged folder changes nothing', async () => {
    await using box = await deliveryBox()
    const folder = join(box.dir, 'site')
    const mail = { name: 'sales', kind: 'mail', to: ['sales@acme.example'], forms: ['contact1'] }
    const report = { name: 'monthly', kind: 'report', to: ['o@acme.example'], every: 'month' }
    writeSite(folder, aSite({ deliveries: [aWebhook('https://203.0.114.9/hook'), mail, report] }))
    const first = JSON.parse(await box.done(['apply', folder, '--json']))
    expect(first.deliverySecrets).toEqual([{ name: 'crm', secret: expect.stringMatching(/^whsec_/) }])
    const second = JSON.parse(await box.done(['apply', folder, '--json']))
    expect(second).toMatchObject({ changes: [] })
    expect(second).not.toHaveProperty('deliverySecrets')
  })
})

test('commands say what to do about names that are not there', async () => {
  await using box = await deliveryBox()
  await applyDeliveries(box, [aWebhook('https://203.0.114.9/hook')])
  expect((await box.run(['delivery', 'pause', 'acme', 'crn'])).stderr).toContain('Did you mean "crm"?')
  expect((await box.run(['delivery', 'show', 'acme', 'x'])).stderr).toContain('capture delivery list acme')
  expect((await box.run(['delivery', 'retry', 'acme', '--failed', '--destination', 'crm'])).status).toBe(2)
})

test('a test prints the exchange, and its status says whether it was taken', async () => {
  await using receiver = new Receiver()
  await using box = await deliveryBox()
  const { crm = '' } = await applyDeliveries(box, [aWebhook(receiver.url())])
  const taken = await box.run(['delivery', 'test', 'acme', 'crm'])
  expect(taken.status).toBe(0)
  expect(taken.stdout).toContain('HTTP/1.1 200')
  expect(taken.stdout).not.toContain(crm)
  const [received] = receiver.received
  expect(JSON.parse(received?.body ?? '').data.test).toBe(true)
  receiver.answer = () => new Response('no', { status: 401 })
  const refused = await box.run(['delivery', 'test', 'acme', 'crm'])
  expect(refused.status).toBe(1)
  expect(refused.stdout).toContain('401')
  expect(await deliveriesOf(box)).toEqual([])
})

test('the address of a chat is shown nowhere', async () => {
  const key = 'T0SECRETKEY/B0SECRETKEY'
  await using receiver = new Receiver({ answer: ({ path }) => new Response(`bad ${path}`, { status: 400 }) })
  await using box = await BinaryBox.make({ delivery: loopbackAllowed })
  await applyDeliveries(box, [{ name: 'team', kind: 'slack', url: receiver.url(`/services/${key}`) }])
  const tested = await box.run(['delivery', 'test', 'acme', 'team'])
  expect(receiver.received[0]?.path).toBe(`/services/${key}`)
  expect(tested.stdout + tested.stderr).not.toContain('SECRETKEY')
  expect(await box.done(['account', 'show', 'acme'])).not.toContain('SECRETKEY')
  expect(await box.done(['account', 'show', 'acme', '--json'])).not.toContain('SECRETKEY')
})
