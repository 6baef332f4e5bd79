// Nothing of one account is reachable through another account's domain, and the answer is the one for a thing that does
// not exist.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventRequest, formRequest, preflightOf } from '../harness/capture-requests.ts'
import { cookieHeaderOf, deviceOf } from '../harness/cookies.ts'
import { eventually } from '../harness/eventually.ts'
import { type Answer, jsonOf, refusalOf, type Sent } from '../harness/http.ts'
import { visit } from '../harness/visits.ts'

const boldDomains = ['go.bold.test', 'alias.bold.test', 'bold.test']
const acmeForm = 'acmeform'
const unknownForm = 'zzzzzzzz'

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const acme = aSite({
    forms: [aForm(), aForm({ id: acmeForm })],
    files: {
      'pages/acme-live.html': 'acme',
      'pages/acme-draft.html': 'acme',
      'img/acme.png': 'acme',
      'img/acme-draft.png': 'acme',
      'files/acme.pdf': 'acme',
    },
    previews: ['pages/acme-draft.html', 'img/acme-draft.png'],
    home: 'acme-live',
  })
  const bold = aSite({ account: 'bold', domains: boldDomains, files: { 'pages/open.html': 'bold' } })
  box = await Box.start([acme, bold])
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

/** All of an answer that a client could tell one from another by. */
function seen({ status, headers, text }: Answer): object {
  const told = [...headers].filter(([name]) => name !== 'date')
  return { status, headers: Object.fromEntries(told), text }
}

async function expectSame(ofAcme: Sent, ofNobody: Sent): Promise<void> {
  expect(seen(await box.send(ofAcme))).toEqual(seen(await box.send(ofNobody)))
}

/** What there is on the domain of the account whose it is: else the comparisons would prove nothing. */
describe("on its own account's domain there is", () => {
  const there: [what: string, request: () => Sent, status: number][] = [
    ['the page', () => visit('/acme-live'), 200],
    ['the home', () => visit('/'), 200],
    ['the image', () => visit('/_svc/img/acme.png'), 200],
    ['the file', () => visit('/_svc/file/acme.pdf'), 200],
    ['the form', () => formRequest({ form: acmeForm }), 200],
    ['the click link', () => visit(clickPath()), 302],
    ['the event path for its key', () => eventRequest(), 202],
  ]

  test.each(there)('%s', async (_what, request, status) => {
    expect((await box.send(request())).status).toBe(status)
  })
})

const clickPath = () => keys.clickPath('http://go.acme.test/acme-live')

describe.each(boldDomains)('on %s, a domain of another account, as if it did not exist is', (host) => {
  const asked: [what: string, ofAcme: () => string, ofNobody: string][] = [
    ['a page', () => '/acme-live', '/nowhere'],
    ['a page in preview', () => '/acme-draft', '/nowhere'],
    ['an image', () => '/_svc/img/acme.png', '/_svc/img/nowhere.png'],
    ['an image in preview', () => '/_svc/img/acme-draft.png', '/_svc/img/nowhere.png'],
    ['a file', () => '/_svc/file/acme.pdf', '/_svc/file/nowhere.pdf'],
    ['a preview', () => keys.previewPath(`/_preview/${keys.assetId('pages/acme-draft.html')}`), '/_preview/zzzzzzzz'],
    ['a click link', () => clickPath(), '/_svc/c/nothing'],
    [
      'a click link to the domain itself',
      () => keys.clickPath(`http://${host}/open`, { account: 'acme' }),
      '/_svc/c/nothing',
    ],
  ]

  test.each(asked)('%s', async (_what, ofAcme, ofNobody) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      await expectSame(visit(ofAcme(), { host, method }), visit(ofNobody, { host, method }))
    }
  })

  test('the home', async () => {
    expect((await box.send(visit('/', { host }))).status).toBe(404)
  })

  test('a form', async () => {
    const toBold = { account: 'bold', host }
    await expectSame(formRequest({ ...toBold, form: acmeForm }), formRequest({ ...toBold, form: unknownForm }))
    expect(refusalOf(await box.send(formRequest({ ...toBold, form: acmeForm })))).toEqual({
      status: 404,
      code: 'unknown_source',
    })
  })

  test('a form in the runtime configuration', async () => {
    const answer = await box.send(visit(`/_svc/rc?f=${acmeForm},${unknownForm}`, { host }))
    const { forms } = jsonOf(answer)
    expect(forms).toEqual({ [acmeForm]: { registered: false }, [unknownForm]: { registered: false } })
  })

  test('a tracking key', async () => {
    const withKey = (key: string) => eventRequest({ account: 'bold', host, headers: { 'x-svc-site-key': key } })
    await expectSame(withKey(trackingKeyOf('acme')), withKey(`svc_tk_${'x'.repeat(32)}`))
    expect(refusalOf(await box.send(withKey(trackingKeyOf('acme'))))).toEqual({ status: 403, code: 'unknown_source' })
  })

  test('an allowed origin', async () => {
    const from = (origin: string, request: Sent) => ({ ...request, headers: { ...request.headers, origin } })
    const ours = 'https://www.acme.test'
    for (const request of [formRequest({ account: 'bold', host }), eventRequest({ account: 'bold', host })]) {
      await expectSame(from(ours, request), from('https://nobody.test', request))
      await expectSame(preflightOf(request, ours), preflightOf(request, 'https://nobody.test'))
      expect((await box.send(from(ours, request))).status).toBe(403)
    }
  })

  test('an identity cookie, as evidence of consent', async () => {
    const cookie = cookieHeaderOf(await box.send(visit('/acme-live')))
    const withCookie = (value: string) =>
      eventRequest({ account: 'bold', host, headers: { cookie: value, 'x-svc-consent': null } })
    await expectSame(withCookie(cookie), withCookie('svc_id=invented'))
    expect(refusalOf(await box.send(withCookie(cookie)))).toEqual({ status: 403, code: 'consent_missing' })
  })

  test('an identity cookie, as the name of a device', async () => {
    const cookie = cookieHeaderOf(await box.send(visit('/acme-live')))
    const device = deviceOf(cookie)
    const mark = `foreign-${host}`
    await box.send(eventRequest({ account: 'bold', host, headers: { cookie }, events: [{ event: mark }] }))
    await box.send(formRequest({ account: 'bold', host, headers: { cookie }, fields: { mark } }))
    const minted = cookieHeaderOf(await box.send(visit('/open', { host, headers: { cookie } })))
    const event = (await box.events('bold')).find((candidate) => candidate.event === mark)
    const submission = (await box.submissions('bold')).find(({ fields }) => fields.mark === mark)
    expect(event?.deviceId).not.toBe(device)
    expect(submission?.deviceId).toBeNull()
    expect(deviceOf(minted)).not.toBe(device)
  })
})

test('no export of one account contains what the other captured', async () => {
  await box.send(formRequest({ fields: { marker: 'acme alone' } }))
  await box.send(eventRequest({ events: [{ event: 'acme_alone' }] }))
  await box.send(visit(keys.clickPath('http://go.acme.test/acme-live', { message: 'acme-alone' })))
  const ours = [...(await box.exportLines('acme', 'submissions')), ...(await box.exportLines('acme', 'events'))].join()
  const theirs = [
    ...(await box.exportLines('bold', 'submissions')),
    ...(await box.exportLines('bold', 'events')),
  ].join()
  expect(ours.match(/acme.alone/g)).toHaveLength(3)
  expect(theirs).not.toMatch(/acme.alone/)
})

test('an account that is made anew does not know the links, previews and cookies of the one before', async () => {
  const site = aSite({ account: 'once', files: { 'pages/open.html': 'once' }, home: 'open' })
  await box.apply(site)
  const before = await BoxKeys.of(box)
  const link = before.clickPath('http://go.once.test/open', { account: 'once' })
  await waitFor(() => box.send(visit('/open', { account: 'once' })), 200)
  const cookie = cookieHeaderOf(await box.send(visit('/open', { account: 'once' })))
  expect((await box.run(['account', 'remove', 'once', '--yes'])).status).toBe(0)
  await waitFor(() => box.send(visit('/open', { account: 'once' })), 404)

  await box.apply(site)
  await waitFor(() => box.send(visit('/open', { account: 'once' })), 200)
  expect((await box.send(visit(link, { account: 'once' }))).status).toBe(404)
  const minted = cookieHeaderOf(await box.send(visit('/open', { account: 'once', headers: { cookie } })))
  expect(deviceOf(minted)).not.toBe(deviceOf(cookie))
})

async function waitFor(ask: () => Promise<Answer>, status: number): Promise<void> {
  await eventually(`the answer is ${status}`, async () => (await ask()).status === status)
}
