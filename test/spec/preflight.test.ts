// Spec, "Preflight (both capture paths)"; docs/forms.md, "Errors".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, preflightOf } from '../harness/capture-requests.ts'
import { corsHeaderNames } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  const forms = [aForm(), aForm({ id: 'draft001', registered: false })]
  box = await Box.start([aSite({ forms, tracking: { key: `svc_tk_${'k'.repeat(32)}`, enabled: false } })])
}, boxStartMsMax)

afterAll(() => box.stop())

describe.each([
  ['form capture', formRequest()],
  ['event capture', eventRequest()],
])('%s', (_name, request) => {
  test.each(['https://www.acme.test', 'http://go.acme.test'])('from %s, which is allowed', async (origin) => {
    const { status, headers, text } = await box.send(preflightOf(request, origin))
    expect({ status, text, headers: Object.fromEntries(headers) }).toMatchObject({
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'POST, OPTIONS',
        'access-control-allow-headers': 'Content-Type, X-SVC-Site-Key, X-SVC-Consent',
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    })
  })

  test.each(['https://evil.test', 'null', 'https://www.acme.test.evil.test'])('from %s is refused', async (origin) => {
    const answer = await box.send(preflightOf(request, origin))
    expect({ status: answer.status, cors: corsHeaderNames(answer) }).toEqual({ status: 403, cors: [] })
  })

  test('without an Origin adds no CORS headers', async () => {
    const answer = await box.send(preflightOf(request, null))
    expect({ status: answer.status, cors: corsHeaderNames(answer) }).toEqual({ status: 204, cors: [] })
  })
})

test('asks for nothing but the origin: neither the form nor the key', async () => {
  const origin = 'https://www.acme.test'
  const answers = [formRequest({ form: 'draft001' }), formRequest({ form: 'unknown1' }), eventRequest()].map(
    (request) => box.send(preflightOf(request, origin)),
  )
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 204, 204])
})
