// docs/reports.md, "What each figure counts": sources are what strangers write, and figures outlive all records.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanUrl } from '../../../src/capture/url/clean-url.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import { dayNamesMax } from '../../../src/processing/figures/measures.ts'
import { SqliteFigureReader } from '../../../src/storage/sqlite/report/figure-reader.ts'
import { click, pageView, submission, trackedEvent } from '../../report/sample-entries.ts'
import { AForgettingBox } from '../../storage/sqlite/a-forgetting-box.ts'
import { browser } from '../../storage/sqlite/shared-devices.ts'
import { noon } from './processed-ledger.ts'

const utm = (source: string | null) => (source === null ? {} : { utm_source: source })

/** A visitor of a device of their own, and what they send. */
const lead = (number: number, source: string | null, accountId = 'account-a'): Entry[] => {
  const of = { deviceId: `device-${number}`, accountId, source: browser }
  return [
    pageView({ ...of, id: `view-${number}`, receivedAt: noon + number, attribution: utm(source) }),
    submission({
      ...of,
      id: `lead-${number}`,
      receivedAt: noon + number + 1,
      email: `visitor-${number}@customer.example`,
      fields: { number },
    }),
  ]
}

const sources = (box: AForgettingBox, account = 'account-a'): Record<string, number> =>
  Object.fromEntries(
    box
      .rows<{ name: string; count: number; account: string }>(
        `SELECT name, sum(count) AS count, account.id AS account FROM day_figure JOIN account ON account.row = account_row
         WHERE measure = 'lead_source' AND count <> 0 GROUP BY 3, 1 ORDER BY name`,
      )
      .flatMap((row) => (row.account === account ? [[row.name, row.count]] : [])),
  )

/** The sources of visits, visitors and leads by day. */
const ofAll = (box: AForgettingBox) =>
  box.rows(
    `SELECT day, measure, name, count FROM day_figure
     WHERE measure IN ('visit_source', 'visitor_source', 'lead_source') AND count <> 0 ORDER BY day, measure, name`,
  )

/** Each lead by what it says it was counted for. */
const recounted = (box: AForgettingBox): Record<string, number> =>
  Object.fromEntries(
    box
      .rows<{ name: string; count: number }>(
        `SELECT lead_source AS name, count(*) AS count FROM submission_fact WHERE lead_source IS NOT NULL
         GROUP BY 1 ORDER BY 1`,
      )
      .map(({ name, count }) => [name, count]),
  )

/** As many as have a name of their own, then more. */
const flood = Array.from({ length: dayNamesMax + 3 }, (_, number) => lead(number, `made-up-${number}`)).flat()
const beyond = `visitor-${dayNamesMax + 2}@customer.example`

test('beyond so many sources of a day further ones count as one, and those that had a figure still do', async () => {
  await using box = new AForgettingBox()
  box.capture(...flood)
  box.capture(...lead(1000, 'made-up-7'), ...lead(1002, 'another'), ...lead(1004, null))
  const counted = sources(box)
  expect(counted).toMatchObject({ '(other)': 4, 'made-up-0': 1, 'made-up-7': 2, direct: 1 })
  expect(Object.keys(counted).length).toBe(dayNamesMax + 2)
  expect(counted).toEqual(recounted(box))
})

test('direct and unknown take no place of the named sources of a day', async () => {
  await using box = new AForgettingBox()
  const withoutDevice = submission({ id: 'lead-server', deviceId: null, receivedAt: noon, fields: { number: -1 } })
  box.capture(...lead(1000, null), withoutDevice, ...flood)
  const counted = sources(box)
  expect(counted).toMatchObject({ direct: 1, unknown: 1, '(other)': 3 })
  expect(Object.keys(counted).filter((name) => name.startsWith('made-up-'))).toHaveLength(dayNamesMax)
})

test('a day lists the sources of visits and leads together: each for both, or for neither', async () => {
  await using box = new AForgettingBox()
  const visits = Array.from({ length: dayNamesMax }, (_, number) =>
    lead(number, `made-up-${number}`).slice(0, 1),
  ).flat()
  box.capture(...visits, ...lead(1000, 'another'), ...lead(1002, 'made-up-7'))
  const counted = box.rows<{ measure: string; name: string; count: number }>(
    `SELECT measure, name, count FROM day_figure WHERE measure IN ('visit_source', 'lead_source')
       AND name IN ('another', 'made-up-7', '(other)') ORDER BY measure, name`,
  )
  expect(counted).toEqual([
    { measure: 'lead_source', name: '(other)', count: 1 },
    { measure: 'lead_source', name: 'made-up-7', count: 1 },
    { measure: 'visit_source', name: '(other)', count: 1 },
    { measure: 'visit_source', name: 'made-up-7', count: 2 },
  ])
})

test('a source that an erasure frees goes to the first of the others, whose visit stays one of them where its view has expired', async () => {
  await using box = new AForgettingBox()
  const beyond = [300, 302, 304].flatMap((number) => lead(number, `beyond-${number}`))
  const others = flood.slice(0, 2 * (dayNamesMax - 1))
  box.capture(...lead(5000, 'persons-own'), ...others, ...beyond)
  const named = (measure: string) =>
    box.rows<{ name: string; count: number }>(
      `SELECT name, count FROM day_figure WHERE measure = '${measure}' AND count <> 0
         AND (name LIKE 'beyond%' OR name = '(other)') ORDER BY 1`,
    )
  box.expire(noon + 301)
  await box.erase('visitor-5000@customer.example')
  expect(named('lead_source')).toEqual([
    { name: '(other)', count: 2 },
    { name: 'beyond-300', count: 1 },
  ])
  expect(named('visit_source')).toEqual([{ name: '(other)', count: 3 }])
  expect(named('visitor_source')).toEqual(named('visit_source'))
})

test('a visitor who has come back since counts for the source that an erasure frees, and for none once erased', async () => {
  await using box = new AForgettingBox()
  const back = pageView({ id: 'back', deviceId: 'device-300', receivedAt: noon + 86_400_000, source: browser })
  box.capture(...lead(5000, 'persons-own'), ...flood.slice(0, 2 * (dayNamesMax - 1)), ...lead(300, 'beyond'), back)
  const returns = () => box.rows(`SELECT name ->> 1 AS source, count FROM day_figure WHERE measure = 'visitor_return'`)
  expect(returns()).toEqual([{ source: '(other)', count: 1 }])
  await box.erase('visitor-5000@customer.example')
  expect(returns()).toEqual([{ source: 'beyond', count: 1 }])
  await box.erase('visitor-300@customer.example')
  expect(returns()).toEqual([])
})

test('a source that a NUL follows takes nothing from the source itself', async () => {
  await using box = new AForgettingBox()
  const attribution = cleanUrl('https://go.acme.example/launch?utm_source=google%00x')?.attribution ?? {}
  const odd = pageView({ id: 'odd', deviceId: 'device-9', receivedAt: noon + 9, source: browser, attribution })
  box.capture(...lead(1, 'google'), ...lead(2, 'google'), odd)
  const day = Math.floor(noon / 86_400_000)
  const { byName } = await new SqliteFigureReader(box.connection).read('account-a', {
    fromDay: day,
    fromAt: 0,
    until: null,
  })
  const visits = byName.filter(({ measure }) => measure === 'visit_source')
  expect(visits.map(({ name, count }) => [name, count])).toEqual([
    ['google', 2],
    ['google\u{fffd}x', 1],
  ])
})

test('each day and each account has its own sources', async () => {
  await using box = new AForgettingBox()
  box.capture(...flood, ...lead(2000, 'theirs', 'account-b'), ...lead(86_400_000, 'tomorrow'))
  expect(sources(box)).toMatchObject({ '(other)': 3, tomorrow: 1 })
  expect(sources(box, 'account-b')).toEqual({ theirs: 1 })
})

test('what was counted as one of the others is taken back from them', async () => {
  await using box = new AForgettingBox()
  box.capture(...flood)
  await box.erase(beyond)
  expect(sources(box)).toMatchObject({ '(other)': 2 })
  expect(sources(box)).toEqual(recounted(box))
})

test('a view that comes late moves a lead between the others and a source with a figure', async () => {
  await using box = new AForgettingBox()
  box.capture(...flood)
  const at = (number: number) => ({
    deviceId: `device-${number}`,
    receivedAt: noon + number,
    id: `view-${number}-late`,
  })
  box.capture(pageView({ ...at(dayNamesMax + 1), attribution: utm('made-up-3') }))
  box.capture(pageView({ ...at(5), attribution: utm('never-heard-of') }))
  expect(sources(box)).toMatchObject({ '(other)': 3, 'made-up-3': 2 })
  expect(sources(box)).not.toHaveProperty('made-up-5')
  expect(sources(box)).toEqual(recounted(box))
})

test('names of sources and messages are cut, and taken back as they were counted', async () => {
  await using box = new AForgettingBox()
  const long = 'n'.repeat(99)
  box.capture(
    ...lead(1, `${long}ame`),
    click({ id: 'click-1', receivedAt: noon + 3, deviceId: 'device-1', message: `${long}\u{1f600}`, recipient: null }),
  )
  const names = () =>
    box.rows<{ name: string }>(`SELECT DISTINCT name FROM day_figure WHERE name LIKE 'nn%' ORDER BY name`)
  expect(names()).toEqual([{ name: `${long}a` }, { name: `${long}\ufffd` }])
  await box.erase('visitor-1@customer.example')
  expect(names()).toEqual([])
})

const nextDay = noon + 86_400_000
const erased = 'ada@customer.example'

test('no name is left behind of where a lead came from before a late view', async () => {
  await using box = new AForgettingBox()
  const of = { deviceId: 'device-1' }
  const attribution = { utm_source: 'persons-own', utm_campaign: 'persons-own' }
  box.capture(pageView({ ...of, id: 'first', receivedAt: noon, attribution }), ...lead(1, null))
  box.capture(pageView({ ...of, id: 'late', receivedAt: noon + 2, attribution: utm('another') }))
  expect(sources(box)).toEqual({ another: 1 })
  await box.erase('visitor-1@customer.example')
  expect(box.rows(`SELECT measure, name FROM day_figure WHERE measure LIKE 'lead%'`)).toEqual([])
})

test('no name of an erased person’s is left behind on a day on which only others sent leads', async () => {
  await using box = new AForgettingBox()
  const attribution = { utm_source: 'persons-own', utm_campaign: 'persons-own' }
  const of = (id: string, ms: number) => ({ id, deviceId: 'shared', receivedAt: (ms < 0 ? noon : nextDay) + ms })
  const email = 'grace@customer.example'
  box.capture(
    pageView({ ...of('persons-view', -2), attribution }),
    submission({ ...of('persons-lead', -1), email: erased }),
    trackedEvent({ ...of('others-tie', 0), event: '$identify', traits: { email }, attribution: {} }),
    submission({ ...of('others-lead', 2), email, fields: { number: 1 } }),
  )
  box.capture(trackedEvent({ ...of('others-late', 1), attribution: utm('another') }))
  await box.erase(erased)
  expect(box.rows(`SELECT name FROM day_figure WHERE name LIKE 'persons%'`)).toEqual([])
  expect(box.rows(`SELECT name, count FROM day_figure WHERE measure = 'lead_source'`)).toEqual([
    { name: 'another', count: 1 },
  ])
})

interface Shared {
  device: number
  /** Where others came from the day before, and the person then; whoever sends a lead next. */
  source: string
  others: number
}

/** A device on which the person viewed something before others sent leads: but for them, those came from where they were before. */
function sharedDevice({ device, source, others }: Shared): Entry[] {
  const of = { deviceId: `shared-${device}`, source: browser }
  const at = (ms: number) => ({ ...of, receivedAt: nextDay + device * 100 + ms })
  const from = (email: string, number: number) => ({
    id: `${email}-${device}-${number}`,
    email,
    fields: { device, number },
  })
  return [
    pageView({ ...of, id: `before-${device}`, receivedAt: noon + device, attribution: utm(source) }),
    submission({ ...of, receivedAt: noon + device + 1, ...from('grace@customer.example', -1) }),
    trackedEvent({ ...at(0), id: `theirs-${device}`, event: '$identify', traits: { email: erased } }),
    pageView({ ...at(1), id: `theirs-view-${device}`, attribution: utm(`persons-${device % 2}`) }),
    ...Array.from({ length: others }, (_, number) =>
      submission({ ...at(2 + number), ...from(`other-${number}@customer.example`, number) }),
    ),
  ]
}

/** Leads of devices of their own, each from somewhere else. */
const fillers = (count: number) =>
  Array.from({ length: count }, (_, number) => lead(86_400_000 + 10_000 + number * 2, `made-up-${number}`)).flat()

/** Leads of the person alone, who came from somewhere else each time. */
const leadsOfErased = (count: number): Entry[] =>
  Array.from({ length: count }, (_, number) => lead(86_400_000 + number * 2, `persons-own-${number}`))
    .flat()
    .map((entry) => (entry.kind === 'submission' ? { ...entry, email: erased } : entry))

const isOfErased = (entry: Entry) => ('email' in entry && entry.email === erased) || entry.id.startsWith('theirs')

test('leads that an erasure moves to a new source count for it on a day that had as many as it may', async () => {
  await using box = new AForgettingBox()
  box.capture(...fillers(dayNamesMax - 1), ...sharedDevice({ device: 2, source: 'newsletter', others: 2 }))
  expect(sources(box)).toMatchObject({ 'persons-0': 2 })
  await box.erase(erased)
  expect(sources(box)).toMatchObject({ newsletter: 3 })
  expect(sources(box)).not.toHaveProperty('(other)')
  expect(sources(box)).toEqual(recounted(box))
})

test('as long as a day has no more sources than it may without the person, all counts as if the person had never been there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ source: fc.constantFrom('mail', 'ads', 'fair'), others: fc.integer({ min: 0, max: 3 }) }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.integer({ min: 0, max: 2 }),
      fc.boolean(),
      async (devices, beyond, areLast) => {
        await using box = new AForgettingBox()
        await using never = new AForgettingBox()
        const shared = devices.flatMap((each, device) => sharedDevice({ ...each, device }))
        const own = new Set(devices.filter(({ others }) => others > 0).map(({ source }) => source)).size
        const others = fillers(dayNamesMax - own)
        const entries = areLast ? [...others, ...shared] : [...shared, ...others]
        box.capture(...leadsOfErased(beyond), ...entries)
        await box.erase(erased)
        never.capture(...entries.filter((entry) => !isOfErased(entry)))
        expect(ofAll(box)).toEqual(ofAll(never))
        expect(sources(box)).toEqual(recounted(box))
        expect(sources(box)).not.toHaveProperty('(other)')
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
})
