// Spec, form check 2 and event check 3; docs/forms.md, "Errors".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { refusalOf } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

describe.each([
  ['form capture', formRequest, 200],
  ['event capture', eventRequest, 202],
] as const)('%s', (_name, request, accepted) => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; profile=x',
    'application/json\t; profile=x',
    'application/json;',
    'Application/JSON',
  ])('takes %s', async (contentType) => {
    expect((await box.send(request({ headers: { 'content-type': contentType } }))).status).toBe(accepted)
  })

  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/json',
    'application/json5',
    'application/jsonp',
    'application/ld+json',
    'application/json+x',
    'application/json\u00a0',
    'application/json x',
    'application/json, text/plain',
    'text/plain; application/json',
    'json',
    '*/*',
  ])('refuses %s', async (contentType) => {
    const answer = await box.send(request({ headers: { 'content-type': contentType } }))
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'validation' })
  })

  test('refuses a body of no content type', async () => {
    const body = new TextEncoder().encode('{}')
    const answer = await box.send(request({ headers: { 'content-type': null }, body }))
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'validation' })
  })
})

test("a browser's own form is refused, and nothing of it is stored", async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await box.send(formRequest({ headers, body: 'email=browser%40example.test' }))
  expect(refusalOf(answer)).toEqual({ status: 400, code: 'validation' })
  expect(JSON.stringify(await box.submissions())).not.toContain('browser@example.test')
})
