// docs/identity.md, "First and last touch", and docs/forms.md, "The receipt of one submission": what a
// submission says of where it came from.
import { describe, expect, test } from 'bun:test'
import type { PageView } from '../../../src/ledger/entry.ts'
import { amendedMax } from '../../../src/processing/submissions/origin.ts'
import { pageView, trackedEvent } from '../../report/sample-entries.ts'
import { anonymous, minuteMs, noon, ProcessedLedger, refused, sent } from './processed-ledger.ts'

const hashOf = (slug: string) => new Bun.CryptoHasher('sha256').update(slug).digest('hex')

/** A view of a landing page, so many minutes after noon. */
const viewed = (minutes: number, slug: string, utm_source?: string, overrides: Partial<PageView> = {}): PageView =>
  pageView({
    id: `view-${minutes}`,
    receivedAt: noon + minutes * minuteMs,
    slug,
    sha256: hashOf(slug),
    attribution: utm_source === undefined ? {} : { utm_source },
    ...overrides,
  })

describe('a submission names the landing page', () => {
  test('that its device had been served last', async () => {
    await using ledger = new ProcessedLedger(viewed(0, 'first'), viewed(1, 'second'), sent(2), viewed(3, 'third'))
    expect(ledger.fact('at-2').page_slug).toBe('second')
  })

  test('also when the view is committed after it', async () => {
    await using ledger = new ProcessedLedger(sent(2), viewed(3, 'third'), viewed(1, 'second'), viewed(0, 'first'))
    expect(ledger.fact('at-2').page_slug).toBe('second')
  })

  test('of its own device, and of its own account', async () => {
    const others = viewed(0, 'other', undefined, { deviceId: 'device-2' })
    await using ledger = new ProcessedLedger(others, viewed(0, 'alien', undefined, { accountId: 'account-b' }), sent(2))
    expect(ledger.fact('at-2').page_slug).toBeNull()
  })

  test('when it was refused too, and keeps it when it is released after other pages', async () => {
    await using ledger = new ProcessedLedger(viewed(0, 'first'), refused(2), viewed(3, 'third'))
    expect(ledger.fact('at-2').page_slug).toBe('first')
    await ledger.release('at-2')
    ledger.process()
    expect(ledger.fact('at-2').page_slug).toBe('first')
  })
})

describe('a view that is committed late', () => {
  const all = Array.from({ length: amendedMax + 5 }, (_, at) => anonymous(at + 2, { fields: { at } }))

  test('is told of by the nearest submissions behind it alone, so that no view goes through all of a device', async () => {
    await using ledger = new ProcessedLedger(...all.toReversed())
    ledger.capture(viewed(1, 'first', 'ads'))
    const told = ledger.facts().flatMap(({ id, page_slug }) => (page_slug === 'first' ? [id] : []))
    expect(new Set(told)).toEqual(new Set(all.slice(0, amendedMax).map(({ id }) => id)))
    expect(ledger.figures()).toMatchObject({ '0 lead_source ads': amendedMax, '0 lead_source unknown': 5 })
  })

  test('is no event that says nothing of where its device came from: none is told again for it', async () => {
    await using ledger = new ProcessedLedger(...all)
    ledger.connection.raw.run(`UPDATE submission_fact SET page_slug = 'kept'`)
    ledger.capture(trackedEvent({ id: 'event-1', receivedAt: noon + minuteMs, attribution: {} }))
    expect(ledger.facts().map(({ page_slug }) => page_slug)).toEqual(all.map(() => 'kept'))
  })
})

describe('a lead counts', () => {
  test('for the source of its last touch', async () => {
    await using ledger = new ProcessedLedger(viewed(0, 'first', 'mail'), viewed(1, 'first', 'ads'), sent(2))
    expect(ledger.fact('at-2')).toMatchObject({ first: 'mail', last: 'ads', lead_source: 'ads' })
    expect(ledger.figures()).toEqual({ '0 lead contact1': 1, '0 lead_source ads': 1 })
  })

  test('for a source that became known after it, and no longer for the one before', async () => {
    await using ledger = new ProcessedLedger(viewed(0, 'first', 'mail'), sent(2))
    ledger.capture(viewed(1, 'first', 'ads'))
    expect(ledger.fact('at-2')).toMatchObject({ first: 'mail', last: 'ads', lead_source: 'ads' })
    expect(ledger.figures()).toEqual({ '0 lead contact1': 1, '0 lead_source ads': 1 })
  })

  test('for "direct" only when that is known, and for "unknown" without a device', async () => {
    const withoutDevice = sent(2, { deviceId: null, email: 'eve@acme.example', fields: { email: 'eve@acme.example' } })
    await using ledger = new ProcessedLedger(viewed(0, 'first'), sent(1), withoutDevice)
    expect(ledger.figures()).toMatchObject({ '0 lead_source direct': 1, '0 lead_source unknown': 1 })
  })
})
