// Spec, "Event batch response (HTTP 202)".
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest } from '../harness/capture-requests.ts'
import { jsonOf } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

test.each([1, 7, 20])('a batch of %d is answered with its number', async (count) => {
  const answer = await box.send(eventRequest({ events: Array(count).fill({ event: 'counted' }) }))
  expect({ status: answer.status, body: jsonOf(answer) }).toEqual({
    status: 202,
    body: { status: 'accepted', accepted: count },
  })
})

test('the answer is JSON that is not cached', async () => {
  const { headers } = await box.send(eventRequest())
  expect({ type: headers.get('content-type'), cache: headers.get('cache-control') }).toEqual({
    type: expect.stringMatching(/^application\/json/),
    cache: 'no-store',
  })
})

test('every accepted event is stored once, with its own id, in the order of the batch', async () => {
  const names = ['first', 'second', 'third']
  await box.send(eventRequest({ events: names.map((event) => ({ event, properties: { batch: 'ordered' } })) }))
  const stored = (await box.events()).filter(({ properties }) => properties.batch === 'ordered')
  expect(stored.map(({ event }) => event)).toEqual(names)
  expect(new Set(stored.map(({ eventId }) => eventId)).size).toBe(names.length)
})

test('the same batch sent again is stored again', async () => {
  const again = eventRequest({ events: [{ event: 'again' }] })
  await box.send(again)
  await box.send(again)
  expect((await box.events()).filter(({ event }) => event === 'again').length).toBe(2)
})
