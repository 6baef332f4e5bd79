// docs/splits.md: a lead belongs to the versions that its visit was shown before, and to the one that it was sent from.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry, RequestSource } from '../../../src/ledger/entry.ts'
import { followedQuery } from '../../../src/storage/sqlite/report/fact-reader.ts'
import { pageView, released, source, submission, trackedEvent } from '../../report/sample-entries.ts'
import { versionsOfEvents } from '../../storage/sqlite/versions-of-events.ts'
import { visitsOf } from '../goals/goals-model.ts'
import { minuteMs, noon, ProcessedLedger } from './processed-ledger.ts'

const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const version = (split: string, variant: string): RequestSource => ({ ...browser, split, variant })

const view = (overrides: Partial<Entry> = {}) => pageView({ source: version('launch', 'b'), ...overrides } as object)
const plain = (overrides: object = {}) => pageView({ source: browser, slug: 'contact', ...overrides })

/** Without a number, two would be likely duplicates. */
const lead = (overrides: object = {}) => submission({ source: browser, ...overrides })

const something = fc.constantFrom<Entry>(
  ...['a', 'b'].flatMap((variant) => ['launch', 'offer'].map((split) => pageView({ source: version(split, variant) }))),
  plain(),
  trackedEvent({ source: browser }),
  lead(),
  lead(),
  lead({ source: version('launch', 'a') }),
)

const entries = fc
  .array(
    fc.record({
      entry: something,
      deviceId: fc.constantFrom('device-1', 'device-1', 'device-2'),
      gapMs: fc.constantFrom(1000, 10 * minuteMs, 29 * minuteMs, 31 * minuteMs),
    }),
    { minLength: 5, maxLength: 50 },
  )
  .map((happened) => {
    let at = noon
    return happened.map(({ entry, deviceId, gapMs }, number) => {
      at += gapMs
      const named = { ...entry, id: `entry-${number + 10}`, deviceId, receivedAt: at }
      return entry.kind === 'submission' ? { ...named, email: null, fields: { number } } : named
    }) as Entry[]
  })

/** The versions that each record of a kind followed, as docs/splits.md reads: whole visits are laid out first. */
function modelled(happened: readonly Entry[], wanted: Entry['kind']): Map<string, string[]> {
  const visits = [...Map.groupBy(happened, ({ deviceId }) => deviceId).values()].flatMap(visitsOf)
  const followed = new Map<string, string[]>()
  for (const entry of happened) {
    if (entry.kind !== wanted) continue
    const visit = visits.find((visit) => visit.includes(entry)) ?? []
    const firsts = new Map<string, RequestSource>()
    for (const { kind, source } of visit.slice(0, visit.indexOf(entry)))
      if (kind === 'page_view' && source.split && !firsts.has(`${source.variant}:${source.split}`))
        firsts.set(`${source.variant}:${source.split}`, source)
    const ofSplits = new Map<string, string>()
    for (const [name, { split }] of firsts) {
      ofSplits.delete(split ?? '')
      ofSplits.set(split ?? '', name)
    }
    const { split, variant } = entry.source
    if (split) ofSplits.set(split, `${variant}:${split}`)
    followed.set(entry.id, [...ofSplits.values()])
  }
  return followed
}

const modelledLeads = (happened: readonly Entry[]): Record<string, number> => {
  const leads: Record<string, number> = {}
  for (const name of [...modelled(happened, 'submission').values()].flat()) leads[name] = (leads[name] ?? 0) + 1
  return leads
}

const modelledEvents = (happened: readonly Entry[]): (string | null)[] => {
  const followed = modelled(happened, 'event')
  return happened.map(({ id }) => followed.get(id)?.at(-1) ?? null)
}

const counted = (ledger: ProcessedLedger): Record<string, number> =>
  Object.fromEntries(
    ledger.connection.raw
      .query<{ name: string; count: number }, []>(
        `SELECT name, sum(count) AS count FROM day_figure WHERE measure = 'split_lead' GROUP BY name HAVING sum(count) <> 0`,
      )
      .all()
      .map(({ name, count }) => [name, count]),
  )

test('leads of versions are those that a look through whole visits finds', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (happened) => {
      await using ledger = new ProcessedLedger(...happened)
      expect(counted(ledger)).toEqual(modelledLeads(happened))
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

test('events have the version that a look through whole visits finds', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (happened) => {
      await using ledger = new ProcessedLedger(...happened)
      expect(await versionsOfEvents(ledger.connection, happened)).toEqual(modelledEvents(happened))
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

test('a view that is committed behind the lead that followed it still counts for its version', async () => {
  await using ledger = new ProcessedLedger(lead({ receivedAt: noon + 1 }), view({ receivedAt: noon }))
  expect(counted(ledger)).toEqual({ 'b:launch': 1 })
})

test('a lead that is released a day later counts for the version that its visit was shown', async () => {
  await using ledger = new ProcessedLedger(
    view({ receivedAt: noon }),
    lead({ receivedAt: noon + minuteMs, status: 'refused', refusedFor: 'bot_check' }),
  )
  expect(counted(ledger)).toEqual({})
  const later = noon + 24 * 60 * minuteMs
  ledger.capture(
    view({ id: 'view-2', receivedAt: later - minuteMs, source: version('launch', 'a') } as object),
    released('submission-1', later),
  )
  expect(counted(ledger)).toEqual({ 'b:launch': 1 })
})

test('a likely duplicate counts for no version', async () => {
  await using ledger = new ProcessedLedger(
    view({ receivedAt: noon }),
    lead({ receivedAt: noon + minuteMs }),
    lead({ id: 'submission-2', receivedAt: noon + 2 * minuteMs }),
  )
  expect(counted(ledger)).toEqual({ 'b:launch': 1 })
})

test('a program is shown no version', async () => {
  const bot = { ...version('launch', 'b'), userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }
  await using ledger = new ProcessedLedger(view({ source: bot, receivedAt: noon }), lead({ receivedAt: noon + 1 }))
  expect(counted(ledger)).toEqual({})
})

test('an event of a long visit is not told its version by a look through the visit', async () => {
  await using ledger = new ProcessedLedger()
  const plan = ledger.connection.raw.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${followedQuery}`).all()
  expect(plan.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      'SEARCH device_entry USING INDEX device_entry_of_visits (device_row=? AND received_at<?)',
      'SEARCH goal_entry USING INDEX goal_entry_counted (device_row=? AND visit_at=?)',
      'SEARCH device_entry EXISTS USING PRIMARY KEY (device_row=? AND received_at>? AND received_at<?)',
    ]),
  )
})
