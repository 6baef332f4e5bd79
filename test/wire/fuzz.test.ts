// Whatever is sent, the answer is one of the spec's, never an internal error: `box.send` fails on a 500.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import type { Sent } from '../harness/http.ts'
import { RawConnection } from '../harness/raw-http.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => new Uint8Array(array))
const body = fc.oneof(bytes, fc.json(), fc.string({ unit: 'binary' }))
const headerText = fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/)

const hostileForm = fc
  .record({ body, contentType: headerText, cookie: headerText, referer: headerText })
  .map(
    ({ body, contentType, cookie, referer }): Sent =>
      formRequest({ body, headers: { 'content-type': contentType, cookie, referer } }),
  )
const hostileJson = fc.oneof(
  body.map((body) => formRequest({ body })),
  body.map((body) => eventRequest({ body })),
  fc.jsonValue().map((events) => eventRequest({ events })),
  fc.jsonValue().map((properties) => eventRequest({ events: [{ event: 'a', properties: { url: properties } }] })),
  fc
    .webUrl({ withFragments: true, withQueryParameters: true })
    .map((url) => eventRequest({ events: [{ event: 'a', properties: { url } }] })),
  fc
    .tuple(headerText, headerText, headerText)
    .map(([key, consent, cookie]) =>
      eventRequest({ headers: { 'x-svc-site-key': key, 'x-svc-consent': consent, cookie: `svc_id=${cookie}` } }),
    ),
  headerText.map((origin) => formRequest({ headers: { origin } })),
)

test('any body and any header are answered as the spec says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(hostileForm, hostileJson), async (request) => {
      expect([200, 202, 400, 403, 404]).toContain((await box.send(request)).status)
    }),
    { numRuns: 1500 },
  )
})

test('any bytes on a connection are answered or end it, and the service goes on', async () => {
  const junk = fc.sample(fc.oneof(bytes, fc.constantFrom('GET ', 'POST /_svc/e HTTP/1.1\r\n', '\r\n\r\n')), 200)
  for (const piece of junk) {
    using connection = await RawConnection.open(box.port)
    await connection.say(`${Buffer.from(piece).toString('latin1')}\r\n\r\n`)
    connection.end()
    await connection.closed()
  }
  expect((await box.send(formRequest())).status).toBe(200)
})
