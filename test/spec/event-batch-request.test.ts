// Spec, "Event batch request body": its table and rules 1 and 2 (rules 3 and 4: event-url.test.ts).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { EventRecord } from '../../src/report/record.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest } from '../harness/capture-requests.ts'
import { jsonOf, refusalOf } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

const named = async (name: string): Promise<EventRecord[]> => (await box.events()).filter(({ event }) => event === name)

async function expectMalformed(events: unknown): Promise<void> {
  expect(refusalOf(await box.send(eventRequest({ events })))).toEqual({ status: 400, code: 'validation' })
}

describe('`events`', () => {
  const batchOf = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ event: `of_${count}`, properties: { i } }))

  test.each([1, 2, 20])('may hold %d', async (count) => {
    await box.send(eventRequest({ events: batchOf(count) }))
    expect((await named(`of_${count}`)).map(({ properties }) => properties.i)).toEqual([...Array(count).keys()])
  })

  test.each([0, 21])('may not hold %d', async (count) => {
    await expectMalformed(batchOf(count))
  })

  test.each([
    ['an object', { event: 'a' }],
    ['a text', 'a'],
    ['null', null],
  ])('may not be %s', async (_what, events) => {
    await expectMalformed(events)
  })

  test.each(['{}', '[]', '[{"event":"a"}]', '"a"', 'null', '{"event":"a"}'])('must be there: %s', async (body) => {
    expect(refusalOf(await box.send(eventRequest({ body })))).toEqual({ status: 400, code: 'validation' })
  })

  test('is all that is read of the body', async () => {
    const body = '{"sentAt":"1999-12-31","events":[{"event":"beside"}],"context":{"ip":"9.9.9.9"}}'
    expect((await box.send(eventRequest({ body }))).status).toBe(202)
    expect(JSON.stringify(await named('beside'))).not.toMatch(/1999-12-31|9\.9\.9\.9/)
  })

  test('is stored whole or not at all', async () => {
    await expectMalformed([{ event: 'all_or_none' }, { event: '' }])
    expect(await named('all_or_none')).toEqual([])
  })

  test.each([
    ['a text', 'a'],
    ['null', null],
    ['an array', []],
    ['a number', 1],
  ])('holds objects, not %s', async (_what, event) => {
    await expectMalformed([event])
  })
})

describe('`event`', () => {
  test.each([
    ['one character', 'x'],
    ['200 characters', 'n'.repeat(200)],
    ['200 characters that take two UTF-16 units each', '😀'.repeat(200)],
    ['white space', ' '],
    ['the reserved name', '$identify'],
    ['any other text', 'Ünïcode / "quoted" \u0000'],
  ])('may be %s', async (_what, event) => {
    expect((await box.send(eventRequest({ events: [{ event }] }))).status).toBe(202)
    expect((await named(event)).length).toBe(1)
  })

  test.each([
    ['empty', { event: '' }],
    ['201 characters', { event: 'n'.repeat(201) }],
    ['201 characters that take two UTF-16 units each', { event: '😀'.repeat(201) }],
    ['absent', {}],
    ['null', { event: null }],
    ['a number', { event: 1 }],
    ['an array', { event: ['a'] }],
    ['an object', { event: {} }],
  ])('may not be %s', async (_what, event) => {
    await expectMalformed([event])
  })
})

describe.each(['properties', 'traits'])('`%s`', (field) => {
  test('is optional', async () => {
    const name = `without_${field}`
    await box.send(eventRequest({ events: [{ event: name }] }))
    expect((await named(name)).length).toBe(1)
  })

  test('is kept as sent', async () => {
    const name = `with_${field}`
    const sent = { email: 'ada@example.test', list: [1, { a: null }], text: 'x', flag: false }
    await box.send(eventRequest({ events: [{ event: name, [field]: sent }] }))
    expect((await named(name))[0]).toMatchObject({ [field]: sent })
  })

  test.each([
    ['null', null],
    ['an array', []],
    ['a text', 'a'],
    ['a number', 1],
    ['true', true],
  ])('may not be %s', async (_what, value) => {
    await expectMalformed([{ event: 'a', [field]: value }])
  })
})

test('numbers in an event keep their digits', async () => {
  const body = '{"events":[{"event":"digits","properties":{"a":12345678901234567890,"b":1.0,"c":1e400}}]}'
  await box.send(eventRequest({ body }))
  const line = (await box.exportLines('acme', 'events')).find((text) => text.includes('"digits"')) ?? ''
  expect(line).toContain('"a":12345678901234567890,"b":1.0,"c":1e400')
})

describe('rule 1: no timestamp is accepted', () => {
  test.each(['timestamp', 'time', 'receivedAt', 'sentAt', '$time'])(
    'in the field `%s`, which the message names',
    async (field) => {
      const answer = await box.send(
        eventRequest({ events: [{ event: 'a' }, { event: 'b', [field]: '2020-01-01T00:00:00Z' }] }),
      )
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'validation' })
      expect(jsonOf(answer).error).toMatchObject({ message: expect.stringContaining(`events[1].${field}`) })
    },
  )

  test('and the service records its own receipt time', async () => {
    const before = Date.now()
    await box.send(eventRequest({ events: [{ event: 'timed' }] }))
    const [event] = await named('timed')
    const receivedAt = Date.parse(event?.receivedAt ?? '')
    expect(receivedAt).toBeGreaterThanOrEqual(before)
    expect(receivedAt).toBeLessThanOrEqual(Date.now())
  })
})

describe('rule 2: source and request metadata', () => {
  test.each(['source', 'ip', 'userAgent', 'deviceId', 'origin', 'context', 'eventId', 'messageId'])(
    'cannot be stated in the field `%s`',
    async (field) => {
      await expectMalformed([{ event: 'a', [field]: 'stated' }])
    },
  )

  test('are stamped by the service', async () => {
    const headers = {
      'user-agent': 'Tester/1.0',
      referer: 'https://www.acme.test/pricing?email=ada@example.test&plan=a',
    }
    await box.send(
      eventRequest({ headers, events: [{ event: 'stamped', properties: { ip: '9.9.9.9', source: 'body' } }] }),
    )
    const [event] = await named('stamped')
    expect(event).toMatchObject({
      origin: 'client',
      properties: { ip: '9.9.9.9', source: 'body' },
      source: {
        ip: '127.0.0.1',
        userAgent: 'Tester/1.0',
        origin: 'https://www.acme.test',
        referer: 'https://www.acme.test/pricing?plan=a',
        host: 'go.acme.test',
      },
    })
  })
})
