// docs/reports.md, "What each figure counts": sources are what strangers write, and figures outlive all records.
import { expect, test } from 'bun:test'
import type { Entry } from '../../../src/ledger/entry.ts'
import { daySourcesMax } from '../../../src/processing/figures/figure-name.ts'
import { click, pageView, submission } from '../../report/sample-entries.ts'
import { AForgettingBox } from '../../storage/sqlite/a-forgetting-box.ts'
import { noon } from './processed-ledger.ts'

const utm = (source: string | null) => (source === null ? {} : { utm_source: source })

/** A visitor of a device of their own, and what they send. */
const lead = (number: number, source: string | null, accountId = 'account-a'): Entry[] => {
  const of = { deviceId: `device-${number}`, accountId }
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
        `SELECT name, count, account.id AS account FROM day_figure JOIN account ON account.row = account_row
         WHERE measure = 'lead_source' AND count <> 0 ORDER BY name`,
      )
      .flatMap((row) => (row.account === account ? [[row.name, row.count]] : [])),
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
const flood = Array.from({ length: daySourcesMax + 3 }, (_, number) => lead(number, `made-up-${number}`)).flat()
const beyond = `visitor-${daySourcesMax + 2}@customer.example`

test('beyond so many sources of a day further ones count as one, and those that had a figure still do', async () => {
  await using box = new AForgettingBox()
  box.capture(...flood)
  box.capture(...lead(1000, 'made-up-7'), ...lead(1002, 'another'), ...lead(1004, null))
  const counted = sources(box)
  expect(counted).toMatchObject({ '(other)': 4, 'made-up-0': 1, 'made-up-7': 2, direct: 1 })
  expect(Object.keys(counted).length).toBe(daySourcesMax + 2)
  expect(counted).toEqual(recounted(box))
})

test('direct and unknown take no place of the named sources of a day', async () => {
  await using box = new AForgettingBox()
  const withoutDevice = submission({ id: 'lead-server', deviceId: null, receivedAt: noon, fields: { number: -1 } })
  box.capture(...lead(1000, null), withoutDevice, ...flood)
  const counted = sources(box)
  expect(counted).toMatchObject({ direct: 1, unknown: 1, '(other)': 3 })
  expect(Object.keys(counted).filter((name) => name.startsWith('made-up-'))).toHaveLength(daySourcesMax)
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
  box.capture(pageView({ ...at(daySourcesMax + 1), attribution: utm('made-up-3') }))
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
  const names = () => box.rows<{ name: string }>(`SELECT name FROM day_figure WHERE name LIKE 'nn%' ORDER BY name`)
  expect(names()).toEqual([{ name: `${long}a` }, { name: `${long}\ufffd` }])
  await box.erase('visitor-1@customer.example')
  expect(names()).toEqual([])
})
