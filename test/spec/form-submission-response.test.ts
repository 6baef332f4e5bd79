// Spec, "Form submission response (HTTP 200)", and docs/site-folder.md, `forms.redirect_url`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { jsonOf } from '../harness/http.ts'

const safe: [what: string, url: string][] = [
  ['on a connected domain', 'https://go.acme.test/thanks'],
  ['on another connected domain', 'https://go2.acme.test/thanks?a=1#b'],
  ['on an allowlisted host', 'https://www.acme.test/thanks'],
  ['on an allowlisted host with another port', 'https://www.acme.test:8443/thanks'],
  ["on a pattern's host", 'https://a.b.acme.test/thanks'],
  ['in plain http', 'http://www.acme.test/thanks'],
]

const unsafe: [what: string, url: string][] = [
  ['on another host', 'https://evil.test/thanks'],
  ['on a host that ends like an allowlisted one', 'https://evilacme.test/'],
  ['on a host that begins like an allowlisted one', 'https://www.acme.test.evil.test/'],
  ['with user info', 'https://www.acme.test@evil.test/'],
  ['with user info for an allowlisted host', 'https://ada:secret@www.acme.test/'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,hello'],
  ['without a scheme', '//www.acme.test/thanks'],
  ['a path', '/thanks'],
  ['another scheme', 'ftp://www.acme.test/thanks'],
]

const idOf = (prefix: string, index: number) => `${prefix}${String(index).padStart(8 - prefix.length, '0')}`

let box: Box

beforeAll(async () => {
  const forms = [
    aForm(),
    ...safe.map(([, redirect_url], i) => aForm({ id: idOf('safe', i), redirect_url })),
    ...unsafe.map(([, redirect_url], i) => aForm({ id: idOf('evil', i), redirect_url })),
  ]
  const domains = ['go.acme.test', 'go2.acme.test']
  const origins = ['https://www.acme.test', 'https://*.acme.test']
  box = await Box.start([aSite({ domains, origins, forms })])
}, boxStartMsMax)

afterAll(() => box.stop())

describe('an accepted submission', () => {
  test('is answered 200 with JSON that is not cached', async () => {
    const { status, headers } = await box.send(formRequest())
    expect({ status, type: headers.get('content-type'), cache: headers.get('cache-control') }).toEqual({
      status: 200,
      type: expect.stringMatching(/^application\/json/),
      cache: 'no-store',
    })
  })

  test('holds `status` and `submissionId`, and nothing else where the form configures no redirect', async () => {
    expect(jsonOf(await box.send(formRequest()))).toEqual({
      status: 'accepted',
      submissionId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
    })
  })

  test('names the submission as it is stored', async () => {
    const id = submissionIdOf(await box.send(formRequest({ fields: { marker: 'named as stored' } })))
    const stored = (await box.submissions()).filter(({ fields }) => fields.marker === 'named as stored')
    expect(stored.map(({ submissionId, status, formId }) => ({ submissionId, status, formId }))).toEqual([
      { submissionId: id, status: 'accepted', formId: 'contact1' },
    ])
  })

  test('gets a new `submissionId` each time the same request is sent, and a record each time', async () => {
    const again = formRequest({ fields: { marker: 'sent twice' } })
    const ids = [submissionIdOf(await box.send(again)), submissionIdOf(await box.send(again))]
    const stored = (await box.submissions()).filter(({ fields }) => fields.marker === 'sent twice')
    expect(new Set(ids).size).toBe(2)
    expect(stored.map(({ submissionId }) => submissionId)).toEqual(ids)
  })
})

describe('`redirectUrl`', () => {
  test.each(safe.map(([what, url], i) => [what, url, idOf('safe', i)]))('%s is sent: %s', async (_what, url, form) => {
    expect(jsonOf(await box.send(formRequest({ form }))).redirectUrl).toBe(url)
  })

  test.each(unsafe.map(([what, url], i) => [what, url, idOf('evil', i)]))(
    '%s is left out: %s',
    async (_what, _url, form) => {
      expect(Object.keys(jsonOf(await box.send(formRequest({ form }))))).toEqual(['status', 'submissionId'])
    },
  )
})
