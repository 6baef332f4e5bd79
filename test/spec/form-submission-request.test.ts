// Spec, "Form submission request body": every row of its table of special keys, and what is said around it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SubmissionRecord } from '../../src/report/record.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { jsonOf, refusalOf } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  const forms = [
    aForm({ schema: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } } }),
    aForm({ id: 'consent1', consent_text_id: 'privacy-2026-01' }),
    aForm({ id: 'noconsnt' }),
    aForm({ id: 'renamed1', honeypot: 'website' }),
    aForm({ id: 'nohoney1', honeypot: false }),
  ]
  box = await Box.start([aSite({ forms })])
}, boxStartMsMax)

afterAll(() => box.stop())

/** Posts the fields and reads back what was stored of them. */
async function stored(fields: Record<string, unknown>, form = 'contact1'): Promise<SubmissionRecord> {
  const id = submissionIdOf(await box.send(formRequest({ form, fields })))
  return recordOf(id)
}

async function recordOf(id: string): Promise<SubmissionRecord> {
  const record = (await box.submissions()).find(({ submissionId }) => submissionId === id)
  if (record === undefined) throw new Error(`submission ${id} is not exported`)
  return record
}

describe('the body', () => {
  test.each([
    ['an array', '[{"email":"ada@example.test"}]'],
    ['a string', '"email"'],
    ['a number', '12'],
    ['true', 'true'],
    ['null', 'null'],
  ])('is an object: %s is refused', async (_what, body) => {
    expect(refusalOf(await box.send(formRequest({ body })))).toEqual({ status: 400, code: 'validation' })
  })

  test('may hold no field at all', async () => {
    expect((await stored({})).fields).toEqual({})
  })

  test('keeps fields that the form definition does not know', async () => {
    const fields = { email: 'ada@example.test', favouriteTree: 'oak', 'with space': '1' }
    expect((await stored(fields)).fields).toEqual(fields)
  })

  test('needs none of the fields that the form declares as required', async () => {
    expect((await stored({ message: 'no address' })).fields).toEqual({ message: 'no address' })
  })

  test('keeps nested values, arrays, booleans, null and empty texts as they were sent', async () => {
    const fields = { address: { lines: ['1 Road', ''], geo: { lat: 1.5 } }, news: false, note: null, list: [1, [2]] }
    expect((await stored(fields)).fields).toEqual(fields)
  })

  test('keeps text of every script, emoji and control characters', async () => {
    const fields = { text: 'Grüße 東京 👩‍💻 \u0000\u0007 \u2028 "quoted" \\ </script>' }
    expect((await stored(fields)).fields).toEqual(fields)
  })

  test.each(['12345678901234567890', '1.0', '1e400', '-0', '1E+2', '0.10', '123456789012345678.000000000000000001'])(
    'keeps the digits of the number %s',
    async (number) => {
      const body = `{"marker":"digits ${number}","amount":${number},"list":[${number}]}`
      const id = submissionIdOf(await box.send(formRequest({ body })))
      const line = (await box.exportLines('acme', 'submissions')).find((text) => text.includes(id)) ?? ''
      expect(line).toContain(`"amount":${number},"list":[${number}]`)
    },
  )

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'holds %s as plain data',
    async (key) => {
      const body = `{"marker":"plain data","${key}":{"isAdmin":true},"nested":{"${key}":1}}`
      const id = submissionIdOf(await box.send(formRequest({ body })))
      const line = (await box.exportLines('acme', 'submissions')).find((text) => text.includes(id)) ?? ''
      expect(line).toContain(`"${key}":{"isAdmin":true},"nested":{"${key}":1}`)
    },
  )

  test('counts the last of repeated keys', async () => {
    const id = submissionIdOf(await box.send(formRequest({ body: '{"a":1,"b":2,"a":3}' })))
    expect((await recordOf(id)).fields).toEqual({ a: 3, b: 2 })
  })
})

describe('`email`', () => {
  test('is lifted to the identity and stays among the fields as sent', async () => {
    const record = await stored({ email: '  Ada@Example.TEST ' })
    expect({ identity: record.identity, fields: record.fields }).toEqual({
      identity: { email: 'ada@example.test' },
      fields: { email: '  Ada@Example.TEST ' },
    })
  })

  test('that is absent leaves the submission without an identity', async () => {
    expect((await stored({ name: 'Ada' })).identity).toEqual({ email: null })
  })
})

describe('the honeypot field', () => {
  test.each([
    ['absent', {}],
    ['null', { _hp: null }],
    ['empty', { _hp: '' }],
    ['white space only', { _hp: ' \t\n\u00a0' }],
  ])('may be %s', async (_what, fields) => {
    expect((await box.send(formRequest({ fields }))).status).toBe(200)
  })

  test.each([
    ['a text', 'http://spam.test'],
    ['zero', 0],
    ['false', false],
    ['an empty array', []],
    ['an empty object', {}],
    ['a letter among spaces', '  x  '],
  ])('with %s is refused as a bot', async (_what, value) => {
    const answer = await box.send(formRequest({ fields: { _hp: value } }))
    expect(refusalOf(answer)).toEqual({ status: 403, code: 'bot' })
  })

  test('is `_hp` unless the form names another', async () => {
    const renamed = await box.send(formRequest({ form: 'renamed1', fields: { website: 'x' } }))
    expect(refusalOf(renamed)).toEqual({ status: 403, code: 'bot' })
  })

  test('under its default name is plain data where the form names another', async () => {
    expect((await stored({ _hp: 'plain' }, 'renamed1')).fields).toEqual({ _hp: 'plain' })
  })

  test('is plain data where the honeypot is off', async () => {
    const { fields, honeypot } = await stored({ _hp: 'plain' }, 'nohoney1')
    expect({ fields, honeypot }).toEqual({ fields: { _hp: 'plain' }, honeypot: { field: null, value: null } })
  })

  test('has the name that the runtime configuration returns', async () => {
    const answer = await box.send({ ...formRequest(), method: 'GET', path: '/_svc/rc?f=renamed1,nohoney1', body: null })
    expect(jsonOf(answer).forms).toMatchObject({
      renamed1: { honeypotFieldName: 'website' },
      nohoney1: expect.not.objectContaining({ honeypotFieldName: expect.anything() }),
    })
  })

  test('is kept in the record as evidence', async () => {
    const record = await stored({ email: 'ada@example.test', _hp: ' ' })
    expect({ honeypot: record.honeypot, fields: record.fields }).toEqual({
      honeypot: { field: '_hp', value: ' ' },
      fields: { email: 'ada@example.test', _hp: ' ' },
    })
  })
})

describe('`consentTextId`', () => {
  test("is replaced by the form's own", async () => {
    const record = await stored({ consentTextId: 'forged' }, 'consent1')
    expect({ consentTextId: record.consentTextId, fields: record.fields }).toEqual({
      consentTextId: 'privacy-2026-01',
      fields: {},
    })
  })

  test('is deleted where the form binds none', async () => {
    const record = await stored({ consentTextId: 'forged', a: 1 }, 'noconsnt')
    expect({ consentTextId: record.consentTextId, fields: record.fields }).toEqual({
      consentTextId: null,
      fields: { a: 1 },
    })
  })
})

test('`botcheck-response` is discarded even where the form requires no bot check', async () => {
  expect((await stored({ 'botcheck-response': 'a-token', a: 1 })).fields).toEqual({ a: 1 })
})
