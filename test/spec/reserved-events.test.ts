// Spec, "Events": the reserved name `$identify`, and names that only the edge gives.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

test('an identity assertion is an event that keeps its traits', async () => {
  const traits = { email: 'Ada@Example.test', plan: { seats: 3 } }
  await box.send(eventRequest({ events: [{ event: '$identify', traits }] }))
  const [identify] = (await box.events()).filter(({ event }) => event === '$identify')
  expect(identify).toMatchObject({ event: '$identify', origin: 'client', traits, properties: {} })
})

test('traits may go with any event', async () => {
  await box.send(eventRequest({ events: [{ event: 'with traits', traits: { plan: 'pro' } }] }))
  expect((await box.events()).find(({ event }) => event === 'with traits')?.traits).toEqual({ plan: 'pro' })
})

test.each(['$pageview', '$click'])('a caller that sends %s is not taken for the edge', async (event) => {
  await box.send(eventRequest({ events: [{ event, properties: { slug: 'claimed', verdict: 'human' } }] }))
  const origins = (await box.events()).filter((record) => record.event === event).map(({ origin }) => origin)
  expect(origins).toEqual(['client'])
})

// Each would take the engine two seconds if a pattern took exponential time, so that the box would outlast the test's limit.
test('identity assertions of what takes long to tell from an address keep nobody waiting', async () => {
  const letters = 'a'.repeat(60)
  const identify = { event: '$identify', traits: { email: `${letters}\u00ad@${letters}\u00ad` } }
  const batches = Array.from({ length: 30 }, () => box.send(eventRequest({ events: Array(20).fill(identify) })))
  expect((await Promise.all(batches)).map(({ status }) => status)).toEqual(Array(30).fill(202))
  const stored = (await box.events()).filter(({ traits }) => traits?.email === identify.traits.email)
  expect(stored).toHaveLength(600)
  expect(submissionIdOf(await box.send(formRequest()))).toBeString()
})
