import { describe, expect, test } from 'bun:test'
import { noFacts } from '../../src/report/entry-facts.ts'
import { eventRecord, submissionRecord } from '../../src/report/record.ts'
import { click, pageView, source, submission, submissionFinding, touch, trackedEvent } from './sample-entries.ts'

const eventKeys =
  'eventId, event, origin, receivedAt, deviceId, personId, properties, traits, attribution, consent, test, source'

describe('a submission as exported', () => {
  test('has its keys in their order', () => {
    expect(Object.keys(submissionRecord(submission(), noFacts)).join(', ')).toBe(
      'submissionId, formId, formVersion, receivedAt, status, refusedFor, identity, personId, deviceId, consentTextId, ' +
        'confirmedAt, honeypot, botCheck, attribution, duplicateOf, page, files, test, source, fields',
    )
  })

  test('carries what was stored, and nothing more while it is not processed', () => {
    expect(submissionRecord(submission(), noFacts)).toEqual({
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
      confirmedAt: null,
      honeypot: { field: '_hp', value: '' },
      botCheck: { required: false, provider: null, verified: false },
      attribution: { first: null, last: null },
      duplicateOf: null,
      page: null,
      test: false,
      source: { ...source, split: null, variant: null },
      fields: { email: 'Ada@acme.example', message: 'Hello' },
      files: [],
    })
  })

  test('carries what processing has found out', () => {
    const [first, last] = [touch({ source: 'google' }), touch()]
    const page = { slug: 'launch', sha256: 'ab'.repeat(32) }
    const found = submissionFinding({ first, last, page, duplicateOf: 'submission-0' })
    expect(submissionRecord(submission(), { ...noFacts, personId: 'person-1', submission: found })).toMatchObject({
      personId: 'person-1',
      attribution: { first, last },
      duplicateOf: 'submission-0',
      page,
    })
  })

  test('is accepted once it was released, and keeps what it was refused for', () => {
    const refused = submission({ status: 'refused', refusedFor: 'honeypot' })
    const found = submissionFinding({ isReleased: true })
    expect(submissionRecord(refused, { ...noFacts, submission: found })).toMatchObject({
      status: 'accepted',
      refusedFor: 'honeypot',
    })
  })

  test('is refused as long as it was not released', () => {
    const refused = submission({ status: 'refused', refusedFor: 'honeypot' })
    expect(submissionRecord(refused, { ...noFacts, submission: submissionFinding() }).status).toBe('refused')
  })

  test('keeps the shape of `honeypot` where the form has none', () => {
    expect(submissionRecord(submission({ honeypot: null }), noFacts).honeypot).toEqual({
      field: null,
      value: null,
    })
  })

  test('passes on nothing that storage may have added to the source', () => {
    const stored = submission({ source: { ...source, cookie: 'secret' } as typeof source })
    expect(Object.keys(submissionRecord(stored, noFacts).source)).toEqual([
      'ip',
      'userAgent',
      'origin',
      'referer',
      'host',
      'split',
      'variant',
    ])
  })
})

describe('an event as exported', () => {
  test.each([
    ['a tracked event', trackedEvent()],
    ['a page view', pageView()],
    ['a click', click()],
  ])('has its keys in their order: %s', (_kind, entry) => {
    expect(Object.keys(eventRecord(entry, noFacts)).join(', ')).toBe(eventKeys)
  })

  test('is from the client when it was tracked', () => {
    expect(eventRecord(trackedEvent(), noFacts)).toMatchObject({
      event: 'signed up',
      origin: 'client',
      properties: { plan: 'pro' },
      attribution: { utm_source: 'mail' },
      consent: 'header',
    })
  })

  test('is `$pageview` from the edge when a page was served', () => {
    expect(eventRecord(pageView(), noFacts)).toMatchObject({
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
    const { event, origin, properties, consent } = eventRecord(click(), noFacts)
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

  test('carries whose it is', () => {
    expect(eventRecord(pageView(), { ...noFacts, personId: 'person-1' }).personId).toBe('person-1')
  })

  test('of a click carries the verdict of today in place of the first one', () => {
    const judged = { verdict: 'human' as const, reasons: ['loaded a page'] }
    expect(eventRecord(click(), { ...noFacts, click: judged }).properties).toEqual({
      message: 'november',
      url: 'https://go.acme.example/launch',
      ...judged,
    })
  })
})
