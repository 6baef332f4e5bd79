// Spec, "Authentication": the table of controls for the capture paths, and the three rules of consent evidence.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { refusalOf } from '../harness/http.ts'
import { cookieOf } from '../harness/identity.ts'

let box: Box

beforeAll(async () => {
  const key = trackingKeyOf('open')
  box = await Box.start([aSite(), aSite({ account: 'open', tracking: { key, require_opt_in: false } })])
}, boxStartMsMax)

afterAll(() => box.stop())

const missing = { status: 403, code: 'consent_missing' }
const consentOf = async (account: string, name: string) =>
  (await box.events(account)).find(({ event }) => event === name)?.consent

describe('form capture', () => {
  test('needs no key and no authorization header', async () => {
    expect((await box.send(formRequest({ headers: { authorization: 'Basic eDp5' } }))).status).toBe(200)
  })

  test('never asks for consent', async () => {
    expect((await box.send(formRequest({ headers: { 'x-svc-consent': 'denied' } }))).status).toBe(200)
  })

  test('reads no key from the query', async () => {
    expect((await box.send(formRequest({ path: '/_svc/f/contact1?email=x' }))).status).toBe(200)
  })
})

test('event capture takes its key from the header alone', async () => {
  const path = `/_svc/e?key=${trackingKeyOf('acme')}`
  const headers = { 'x-svc-site-key': null, authorization: `Bearer ${trackingKeyOf('acme')}` }
  expect(refusalOf(await box.send(eventRequest({ path, headers })))).toEqual({ status: 403, code: 'unknown_source' })
})

describe('where "No tracking before opt-in" is on, the default posture,', () => {
  test('the header X-SVC-Consent: granted is evidence', async () => {
    expect((await box.send(eventRequest({ events: [{ event: 'by header' }] }))).status).toBe(202)
    expect(await consentOf('acme', 'by header')).toBe('header')
  })

  test('a valid identity cookie is evidence', async () => {
    const cookie = cookieOf(await box.send(eventRequest()))
    const answer = await box.send(
      eventRequest({ headers: { cookie, 'x-svc-consent': null }, events: [{ event: 'by cookie' }] }),
    )
    expect(answer.status).toBe(202)
    expect(await consentOf('acme', 'by cookie')).toBe('cookie')
  })

  test('neither is consent_missing', async () => {
    expect(refusalOf(await box.send(eventRequest({ headers: { 'x-svc-consent': null } })))).toEqual(missing)
  })

  test.each(['denied', 'true', 'yes', '1', '', 'grant', 'granted, denied', 'denied, granted', 'not-granted'])(
    'the header value %j is no evidence',
    async (value) => {
      expect(refusalOf(await box.send(eventRequest({ headers: { 'x-svc-consent': value } })))).toEqual(missing)
    },
  )

  test('an invalid identity cookie is no evidence', async () => {
    const cookie = `svc_id=${crypto.randomUUID()}.abcdef.${'A'.repeat(22)}`
    expect(refusalOf(await box.send(eventRequest({ headers: { cookie, 'x-svc-consent': null } })))).toEqual(missing)
  })

  test('consent in the body is no evidence', async () => {
    const body = '{"consent":"granted","events":[{"event":"a","properties":{"consent":"granted"}}]}'
    expect(refusalOf(await box.send(eventRequest({ headers: { 'x-svc-consent': null }, body })))).toEqual(missing)
  })
})

describe('where that setting is off', () => {
  test.each(['granted', 'denied', null])('the header is ignored: %p', async (value) => {
    const name = `ignored ${value}`
    const request = eventRequest({ account: 'open', headers: { 'x-svc-consent': value }, events: [{ event: name }] })
    expect((await box.send(request)).status).toBe(202)
    expect(await consentOf('open', name)).toBe('not_required')
  })
})
