import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { AcmeProblem } from '../../../src/https/acme/problem.ts'
import { newAccountAt, orderFor } from './acme-world.ts'
import { flyingPauses } from './flying-pauses.ts'
import { altered, tamperedWorld } from './tampered-world.ts'

const host = 'shop.some-customer.com'

/** Members that the client reads, and what no client expects in them. */
const members = [
  ...[
    'newNonce',
    'newAccount',
    'newOrder',
    'meta',
    'renewalInfo',
    'status',
    'authorizations',
    'finalize',
    'certificate',
  ],
  ...['identifier', 'challenges', 'error', 'type', 'detail', 'subproblems', 'token', 'url'],
]
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('pending', 'ready', 'valid', 'invalid', 'processing'),
)
const nonsense = fc.dictionary(fc.constantFrom(...members), values, { minKeys: 1, maxKeys: 4 })

test('whatever an authority answers, an order ends with a certificate or a problem in words', async () => {
  let place = ''
  let changed: Record<string, unknown> = {}
  await using world = await tamperedWorld(
    (passing) => {
      if (!passing.path.startsWith(place)) return passing.forward()
      return altered(passing, (answer) => ({ ...answer, ...changed }))
    },
    { hosts: [host], authorizationReusePercent: 50 },
  )
  const places = fc.constantFrom(
    '/dir',
    '/sign-me-up',
    '/order-plz',
    '/authZ/',
    '/chalZ/',
    '/finalize-order/',
    '/my-order/',
  )
  await fc.assert(
    fc.asyncProperty(places, nonsense, async (start, answer) => {
      place = start
      changed = answer
      const { clock, pause } = flyingPauses()
      // Few looks, so that what never ends does not take long.
      const client = world.client({ clock, pause, limits: { orderMsMax: 5_000 } })
      try {
        const pair = await (await newAccountAt(client)).order(orderFor(world, host))
        expect(pair.certificate).toContain('BEGIN CERTIFICATE')
      } catch (error) {
        expect(error).toBeInstanceOf(AcmeProblem)
        expect(error instanceof AcmeProblem && error.detail).not.toBe('')
      }
    }),
    { numRuns: 150 },
  )
  expect(world.shown()).toBe(0)
})
