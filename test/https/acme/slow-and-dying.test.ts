import { describe, expect, test } from 'bun:test'
import { newAccountKey } from '../../../src/https/acme/account-key.ts'
import { acmeWorld, clientOf, newAccountAt, orderFor } from './acme-world.ts'
import { problemIn } from './failure.ts'
import { flyingPauses } from './flying-pauses.ts'
import { altered, tamperedWorld, tamperingAt } from './tampered-world.ts'

const host = 'shop.some-customer.com'
const never = () => new Promise<Response>(() => {})

describe('an authority that gives no answer ends the wait', () => {
  test.each([
    ['where it is silent', never],
    [
      'where its answer comes a byte at a time',
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(20)
              controller.enqueue(new Uint8Array(1))
            },
          }),
        ),
    ],
  ])('%s', async (_, answer) => {
    await using world = await tamperedWorld(tamperingAt('/dir', answer))
    const problem = await problemIn(world.client({ limits: { requestMsMax: 300 } }).offer())
    expect(problem).toMatchObject({ kind: 'unreachable', status: null })
    expect(problem.detail).toContain('no answer within 0.3 s')
  })

  test('where nobody listens', async () => {
    await using world = await acmeWorld()
    await world.ca.stop()
    const problem = await problemIn(world.authority.offer())
    expect(problem).toMatchObject({
      kind: 'unreachable',
      detail: `${world.ca.address}:14000: the connection was refused`,
    })
  })

  test('where its answer breaks off', async () => {
    await using world = await tamperedWorld(tamperingAt('/dir', breakingOff))
    expect((await problemIn(world.authority.offer())).kind).toBe('unreachable')
  })

  test('where its name is not known', async () => {
    await using world = await acmeWorld()
    const authority = clientOf(world.ca, { directoryUrl: 'https://ca.invalid/dir' })
    expect(await problemIn(authority.offer())).toMatchObject({
      kind: 'unreachable',
      detail: 'ca.invalid: the name is not known',
    })
  })
})

test('one who gives up waiting for the directory does not end it for others', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await using world = await tamperedWorld(
    tamperingAt('/dir', async ({ forward }) => {
      asked.resolve()
      await answered.promise
      return forward()
    }),
  )
  const impatient = new AbortController()
  const [first, second] = [world.authority.offer(impatient.signal), world.authority.offer()]
  await asked.promise
  impatient.abort(new Error('enough'))
  await expect(first).rejects.toThrow('enough')
  answered.resolve()
  expect((await second).tellsRenewal).toBe(true)
})

describe('an order', () => {
  test('that stays in processing is given up after the limit', async () => {
    let isStuck = false
    await using world = await tamperedWorld(
      tamperingAt('/my-order/', (passing) =>
        isStuck ? altered(passing, (order) => ({ ...order, ...processing(order) })) : passing.forward(),
      ),
      { hosts: [host], authorizationReusePercent: 100 },
    )
    const known = { key: newAccountKey(), contact: '', externalBinding: null }
    const before = await world.authority.account({ ...known, url: null })
    // The host is authorized from now on, so that nothing else is waited for.
    await before.order(orderFor(world, host))
    isStuck = true
    const { clock, pause, pauses } = flyingPauses()
    const client = world.client({ clock, pause, limits: { pollMsMin: 1_000 } })
    const account = await client.account({ ...known, url: before.url })
    const problem = await problemIn(account.order(orderFor(world, host)))
    expect(problem).toMatchObject({ kind: 'stuck', detail: 'The order is still "processing" after 180 s' })
    expect(pauses).toHaveLength(180)
  })

  test('whose host is never looked at is given up after the limit, and its authorization taken back', async () => {
    const { clock, pause } = flyingPauses()
    await using world = await tamperedWorld(
      tamperingAt('/chalZ/', () => Response.json({ status: 'pending' })),
      { hosts: [host] },
    )
    const authority = world.client({ clock, pause, limits: { pollMsMin: 1_000 } })
    const problem = await problemIn((await newAccountAt(authority)).order(orderFor(world, host)))
    expect(problem.kind).toBe('stuck')
    expect(problem.detail).toStartWith(`The authority's look at ${host} is still "pending"`)
    expect(world.passed.at(-1)?.payload).toEqual({ status: 'deactivated' })
  })

  test('is looked at a moment after the authority was asked, then as often as it wants, within limits', async () => {
    const { clock, pause, pauses } = flyingPauses()
    const waits = ['7', '0', '86400', 'nonsense', new Date(Date.now() + 3_600_000).toUTCString()]
    let looks = 0
    await using world = await tamperedWorld(
      tamperingAt('/authZ/', async (passing) => {
        const wait = looks++ === 0 ? undefined : waits[looks - 2]
        if (wait === undefined) return passing.forward()
        const answer = await altered(passing, (authorization) => ({ ...authorization, status: 'pending' }))
        answer.headers.set('retry-after', wait)
        return answer
      }),
      { hosts: [host] },
    )
    const client = world.client({ clock, pause, limits: { pollMsMin: 1_000 } })
    // How soon pebble is done is not the subject.
    await (await newAccountAt(client)).order(orderFor(world, host)).catch(() => null)
    expect(pauses.slice(0, 6)).toEqual([1_000, 7_000, 1_000, 30_000, 1_000, 30_000])
  })

  test('is read again where an answer breaks off', async () => {
    let failures = 2
    await using world = await tamperedWorld(
      tamperingAt('/my-order/', ({ forward }) => (failures-- > 0 ? breakingOff() : forward())),
      { hosts: [host] },
    )
    const { certificate } = await (await newAccountAt(world.authority)).order(orderFor(world, host))
    expect(certificate).toContain('BEGIN CERTIFICATE')
  })

  test('is done where the answer to its last request was lost', async () => {
    await using world = await tamperedWorld(
      tamperingAt('/finalize-order/', async ({ forward }) => {
        await forward()
        return breakingOff()
      }),
      { hosts: [host] },
    )
    const { certificate } = await (await newAccountAt(world.authority)).order(orderFor(world, host))
    expect(certificate).toContain('BEGIN CERTIFICATE')
  })

  test('ends where its last request never arrives', async () => {
    await using world = await tamperedWorld(tamperingAt('/finalize-order/', breakingOff), { hosts: [host] })
    const problem = await problemIn((await newAccountAt(world.authority)).order(orderFor(world, host)))
    expect(problem.kind).toBe('unreachable')
  })
})

const processing = ({ status }: Record<string, unknown>) => (status === 'ready' ? {} : { status: 'processing' })

/** Closes the connection in the middle of a body. */
function breakingOff(): Response {
  let isBegun = false
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (isBegun) controller.error(undefined)
        else controller.enqueue(new TextEncoder().encode('{"newNonce":'))
        isBegun = true
      },
    }),
  )
}
