import { describe, expect, test } from 'bun:test'
import { eventRecord, submissionRecord } from '../../src/report/record.ts'
import { click, pageView, source, submission, trackedEvent } from './sample-entries.ts'

const eventKeys =
  'eventId, event, origin, receivedAt, deviceId, personId, properties, traits, attribution, consent, test, source'

describe('a submission as exported', () => {
  test('has the keys of contract section 5 in their order', () => {
    expect(Object.keys(submissionRecord(submission())).join(', ')).toBe(
      'submissionId, formId, formVersion, receivedAt, status, refusedFor, identity, personId, deviceId, consentTextId, ' +
        'honeypot, botCheck, attribution, duplicateOf, page, test, source, fields',
    )
  })

  test('carries what was stored', () => {
    expect(submissionRecord(submission())).toEqual({
      submissionId: 'submission-1',
      formId: 'contact1',
      formVersion: 3,
      receivedAt: '2026-11-20T09:30:00.005Z',
      status: 'accepted',
      refusedFor: null,
      identity: { email: 'ada@acme.example' },
      personId: null,
      deviceId: 'device-1',
      consentTextId: 'privacy-2026-01',
      honeypot: { field: '_hp', value: '' },
      botCheck: { required: false, provider: null, verified: false },
      attribution: { first: null, last: null },
      duplicateOf: null,
      page: null,
      test: false,
      source,
      fields: { email: 'Ada@acme.example', message: 'Hello' },
    })
  })

  test('keeps the shape of `honeypot` where the form has none', () => {
    expect(submissionRecord(submission({ honeypot: null })).honeypot).toEqual({ field: null, value: null })
  })

  test('passes on nothing that storage may have added to the source', () => {
    const stored = submission({ source: { ...source, cookie: 'secret' } as typeof source })
    expect(Object.keys(submissionRecord(stored).source)).toEqual(['ip', 'userAgent', 'origin', 'referer', 'host'])
  })
})

describe('an event as exported', () => {
  test.each([
    ['a tracked event', trackedEvent()],
    ['a page view', pageView()],
    ['a click', click()],
  ])('has the keys of contract section 5 in their order: %s', (_kind, entry) => {
    expect(Object.keys(eventRecord(entry)).join(', ')).toBe(eventKeys)
  })

  test('is from the client when it was tracked', () => {
    expect(eventRecord(trackedEvent())).toMatchObject({
      event: 'signed up',
      origin: 'client',
      properties: { plan: 'pro' },
      attribution: { utm_source: 'mail' },
      consent: 'header',
    })
  })

  test('is `$pageview` from the edge when a page was served', () => {
    expect(eventRecord(pageView())).toMatchObject({
      event: '$pageview',
      origin: 'edge',
      properties: {
        slug: 'launch',
        path: '/launch',
        host: 'go.acme.example',
        url: 'https://go.acme.example/launch',
      },
      traits: null,
      consent: 'not_required',
    })
  })

  test('is `$click` from the edge, without the evidence, when a link was followed', () => {
    const { event, origin, properties, consent } = eventRecord(click())
    expect({ event, origin, properties, consent }).toEqual({
      event: '$click',
      origin: 'edge',
      properties: {
        message: 'november',
        url: 'https://go.acme.example/launch',
        verdict: 'suspected',
        reasons: ['fast'],
      },
      consent: 'not_required',
    })
  })
})
