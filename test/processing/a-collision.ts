import fc from 'fast-check'
import type { LedgerEntry } from '../../src/ledger/decision.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import { click, pageView, source, submission, trackedEvent } from '../report/sample-entries.ts'

// Entries that touch what the others touch: few devices, people, messages and words, at times where every limit lies
// (bursts, visits, likely duplicates, days), committed in another order than they were received.

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const bot = 'Googlebot/2.1 (+http://www.google.com/bot.html)'
const second = 1000
const minute = 60 * second
const begin = Date.UTC(2026, 10, 20, 23, 30)

const email = fc.constantFrom('ada@acme.example', 'bob@acme.example')
const attribution = fc.constantFrom({}, {}, { utm_source: 'mail' }, { utm_source: 'ads', utm_medium: 'cpc' })
const traits = fc.dictionary(fc.constantFrom('name', 'plan'), fc.integer({ min: 1, max: 3 }), { maxKeys: 2 })
const versions = fc.constantFrom({}, { split: 'launch', variant: 'a' }, { split: 'launch', variant: 'b' })
const fields = fc.constantFrom({ message: 'Hello' }, { message: 'Hello again' })

const a = {
  submission: fc
    .record({ email: fc.option(email), fields, formId: fc.constantFrom('contact1', 'contact2') })
    .map((told) => submission(told)),
  refused: fields.map((told) => submission({ fields: told, status: 'refused', refusedFor: 'honeypot' })),
  view: attribution.map((told) => pageView({ attribution: told })),
  identify: fc
    .tuple(traits, fc.option(email))
    .map(([said, who]) => trackedEvent({ event: '$identify', traits: who === null ? said : { ...said, email: who } })),
  event: attribution.map((told) => trackedEvent({ attribution: told })),
  appView: attribution.map((told) => trackedEvent({ event: '$pageview', attribution: told })),
  click: fc
    .record({
      recipient: fc.constantFrom('to-ada', 'to-ada', 'to-ada', null),
      url: fc.constantFrom('launch', 'pricing', 'team', 'terms').map((path) => `https://go.acme.example/${path}`),
      method: fc.constantFrom('GET', 'GET', 'HEAD'),
      attribution,
    })
    .map(({ method, ...told }) =>
      click({
        ...told,
        verdict: 'human',
        reasons: [],
        evidence: { method, headers: { 'user-agent': browser, 'accept-language': 'en' } },
      }),
    ),
}

const something: fc.Arbitrary<Entry> = fc.oneof(
  { arbitrary: a.submission, weight: 4 },
  { arbitrary: a.refused, weight: 2 },
  { arbitrary: a.view, weight: 4 },
  { arbitrary: a.identify, weight: 2 },
  { arbitrary: a.event, weight: 1 },
  { arbitrary: a.appView, weight: 1 },
  { arbitrary: a.click, weight: 9 },
)

const receivedAt = fc
  .tuple(
    fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1 * minute, 11 * minute, 29 * minute, 31 * minute, 24 * 60 * minute),
    fc.nat({ max: 9 }),
  )
  .map(([far, near]) => begin + far + near * second)

/** Of five refused submissions four are released: so many entries behind them, after so many minutes. */
const release = fc.option(
  fc.record({ entriesBehind: fc.integer({ min: 1, max: 20 }), minutes: fc.constantFrom(1, 5, 15, 24 * 60) }),
  { freq: 5 },
)

type Made = { entry: Entry; release: { entriesBehind: number; minutes: number } | null }

/** The entries, and the releases of those that are refused submissions. */
function withReleases(made: readonly Made[]): LedgerEntry[] {
  const placed = made.map(({ entry }, place): [number, LedgerEntry] => [place, entry])
  for (const [place, { entry, release }] of made.entries()) {
    if (release === null || entry.kind !== 'submission' || entry.status === 'accepted') continue
    const { id, accountId } = entry
    const receivedAt = entry.receivedAt + release.minutes * minute
    placed.push([place + release.entriesBehind - 0.5, { kind: 'release', id, accountId, receivedAt }])
  }
  return placed.sort(([one], [other]) => one - other).map(([, entry]) => entry)
}

/** Entries of two accounts in the order in which they are committed. */
export const collision: fc.Arbitrary<LedgerEntry[]> = fc
  .uniqueArray(
    fc.record({
      entry: something,
      accountId: fc.constantFrom(...Array.from({ length: 7 }, () => 'account-a'), 'account-b'),
      deviceId: fc.constantFrom('device-1', 'device-1', 'device-2'),
      receivedAt,
      userAgent: fc.constantFrom(browser, browser, browser, bot),
      version: versions,
      test: fc.constantFrom(true, ...Array.from({ length: 19 }, () => false)),
      id: fc.uuid(),
      release,
    }),
    { minLength: 1, maxLength: 60, size: 'max', selector: ({ id }) => id },
  )
  .map((made) =>
    withReleases(
      made.map(({ entry, release, userAgent, version, ...of }) => ({
        entry: { ...entry, ...of, source: { ...source, userAgent, ...version } } as Entry,
        release,
      })),
    ),
  )
