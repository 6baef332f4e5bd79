// A domain that another account has connected: nothing of the former one answers there (contract, section 1).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { cookieHeaderOf, deviceOf } from '../harness/cookies.ts'
import { refusalOf, type Sent } from '../harness/http.ts'
import { applyAnew, becomesLive } from '../harness/publishing.ts'

const host = 'shop.acme.test'
let box: Box
let keys: BoxKeys
/** A browser that knew the name before. */
let cookie: string

const get = (path: string, headers: Record<string, string> = {}): Sent => ({
  method: 'GET',
  host,
  path,
  headers,
  body: null,
})

beforeAll(async () => {
  const files = { 'pages/launch.html': '<p>Of acme</p>', 'img/a.png': 'a', 'files/a.pdf': 'a' }
  const forms = [aForm(), aForm({ id: 'acmeform' })]
  const before = aSite({ domains: [host], forms, files, previews: ['files/a.pdf'] })
  box = await Box.start([before, aSite({ account: 'bold', files: { 'pages/other.html': '<p>Of bold</p>' } })])
  cookie = cookieHeaderOf(await box.send(get('/launch')))
  keys = await BoxKeys.of(box)
  await applyAnew(box, { ...before, domains: ['go.acme.test'] })
  await applyAnew(box, aSite({ account: 'bold', domains: [host], files: { 'pages/other.html': '<p>Of bold</p>' } }))
  await becomesLive(box, get('/other'), { status: 200 })
}, boxStartMsMax)
afterAll(() => box.stop())

test('a browser that the former account knew is a new device', async () => {
  const answer = await box.send(get('/other', { cookie }))
  expect(deviceOf(cookieHeaderOf(answer))).not.toBe(deviceOf(cookie))
})

test.each([
  ['a page', () => '/launch'],
  ['an image', () => '/_svc/img/a.png'],
  ['a preview address', () => keys.previewPath(`/_preview/${keys.assetId('files/a.pdf')}`)],
  ['a click link', () => keys.clickPath('https://www.acme.test/')],
  ['an image by its short id', () => `/_svc/img/${keys.assetId('img/a.png')}`],
])('%s of the former account is one that does not exist', async (_, path) => {
  expect((await box.send(get(path()))).status).toBe(404)
})

test('a form and a tracking key of the former account are unknown', async () => {
  const byBold = { account: 'bold', host }
  expect(refusalOf(await box.send(formRequest({ ...byBold, form: 'acmeform' })))).toEqual(
    refusalOf(await box.send(formRequest({ ...byBold, form: 'zzzzzzzz' }))),
  )
  const withKey = (key: string) => box.send(eventRequest({ ...byBold, headers: { 'x-svc-site-key': key } }))
  expect((await withKey(trackingKeyOf('bold'))).status).toBe(202)
  expect(refusalOf(await withKey(trackingKeyOf('acme')))).toEqual(refusalOf(await withKey(trackingKeyOf('nobody'))))
})

test('the allowlist of the former account counts no longer', async () => {
  const form = formRequest({ host, headers: { origin: 'https://www.acme.test' } })
  expect((await box.send(form)).status).toBe(403)
})
