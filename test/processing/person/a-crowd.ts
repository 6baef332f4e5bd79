import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { click, pageView, submission, trackedEvent } from '../../report/sample-entries.ts'

// People who share devices and accounts who share people: few names and little time, so that everything collides.

const emails = ['ada@acme.example', 'bob@acme.example', 'eve@acme.example']
export const devices = ['device-1', 'device-2', 'device-3']

const anEmail = fc.constantFrom(...emails)
const aTrait = fc.constantFrom('name', 'plan', '__proto__')
const traits = fc
  .array(fc.tuple(aTrait, fc.integer({ min: 1, max: 5 })), { maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs))
const attribution = fc.constantFrom({}, { utm_source: 'mail' }, { utm_source: 'google' })
const referer = fc.constantFrom(null, 'https://www.google.com/', 'https://blog.example/a')

/** An entry less what says when and where it came from. */
const something = fc.oneof(
  { arbitrary: fc.option(anEmail).map((email) => submission({ email })), weight: 3 },
  { arbitrary: anEmail.map((email) => submission({ email, deviceId: null })), weight: 1 },
  {
    arbitrary: anEmail.map((email) =>
      submission({ email, status: 'refused' as const, refusedFor: 'honeypot' as const }),
    ),
    weight: 1,
  },
  {
    arbitrary: fc
      .tuple(traits, fc.option(fc.constantFrom(...emails, ' Ada@ACME.example', 'no address')))
      .map(([said, email]) => trackedEvent({ event: '$identify', traits: email === null ? said : { ...said, email } })),
    weight: 4,
  },
  { arbitrary: traits.map((said) => trackedEvent({ traits: said })), weight: 1 },
  { arbitrary: attribution.map((told) => trackedEvent({ attribution: told })), weight: 1 },
  {
    arbitrary: fc
      .tuple(attribution, referer)
      .map(([told, from]) => pageView({ attribution: told, source: { ...pageView().source, referer: from } })),
    weight: 3,
  },
  { arbitrary: attribution.map((told) => click({ attribution: told })), weight: 1 },
)

/** Entries of the accounts, each with an id of its own that says nothing about its time. */
export const crowd = (accountIds: string[]): fc.Arbitrary<Entry[]> =>
  fc
    .array(
      fc.record({
        entry: something,
        accountId: fc.constantFrom(...accountIds),
        deviceId: fc.constantFrom(...devices),
        receivedAt: fc.integer({ min: 1, max: 8 }),
        test: fc.constantFrom(true, ...Array.from({ length: 9 }, () => false)),
        id: fc.uuid(),
      }),
      { maxLength: 40 },
    )
    .map((made) =>
      made.map(({ entry, accountId, deviceId, receivedAt, test, id }, index) => ({
        ...entry,
        accountId,
        deviceId: entry.deviceId === null ? null : deviceId,
        receivedAt: Date.UTC(2026, 10, 20) + receivedAt,
        test,
        id: `${id}-${index}`,
      })),
    ) as fc.Arbitrary<Entry[]>
