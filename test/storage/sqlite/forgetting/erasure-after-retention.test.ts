// docs/privacy.md, "Erasing a person": an erasure counts nothing that had not been counted, though retention has taken what was.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { click, pageView, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import {
  browser,
  devices,
  entriesOf,
  erased,
  figures,
  happenings,
  hits,
  isErased,
  minute,
  type World,
} from '../shared-devices.ts'

const runs = 25
const noon = Date.UTC(2026, 9, 20, 12)
const at = (minutes: number): number => noon + minutes * minute
const ben = 'ben@customer.example'

const of = (id: string, minutes: number) => ({ id, receivedAt: at(minutes), source: browser })
const view = (id: string, minutes: number) => pageView(of(id, minutes))
const lead = (id: string, minutes: number, email: string, deviceId = 'device-1') =>
  submission({ ...of(id, minutes), deviceId, email, fields: { email, id } })
/** Continues a visit, and says nothing else. */
const event = (id: string, minutes: number) => trackedEvent({ ...of(id, minutes), attribution: {} })

async function figuresAround(entries: Entry[], expiredBefore: number) {
  await using box = new AForgettingBox()
  box.capture(...entries)
  const read = () =>
    Object.fromEntries(
      box
        .rows<{ what: string; count: number }>(
          `SELECT measure AS what, sum(count) AS count FROM day_figure GROUP BY 1
           UNION SELECT 'viewedOn', count(DISTINCT day) FROM day_figure WHERE measure LIKE 'vi%'`,
        )
        .map(({ what, count }) => [what, count]),
    )
  box.expire(expiredBefore)
  const before = read()
  await box.erase(erased)
  return { before, after: read() }
}

test('a visit and a visitor that began with a view that has expired do not count again', async () => {
  const entries = [view('view-1', 0), lead('ben-1', 1, ben), view('view-2', 20), lead('ada-1', 21, erased)]
  const { before, after } = await figuresAround(entries, at(10))
  expect(before).toMatchObject({ view: 2, visit: 1, visitor: 1, visitor_last: 1 })
  expect(after).toMatchObject({ view: 2, visit: 1, visitor: 1, visitor_last: 1 })
})

test('nor does one that an event which has expired went on with', async () => {
  const entries = [
    lead('ben-1', 0, ben),
    view('view-1', 1),
    event('event-1', 25),
    view('view-2', 50),
    lead('ada-1', 51, erased),
  ]
  const { after } = await figuresAround(entries, at(30))
  expect(after).toMatchObject({ view: 2, visit: 1, visitor: 1, visitor_last: 1 })
})

test('a visit that went on with none of what has expired is still counted', async () => {
  const entries = [lead('ben-1', 0, ben), event('event-1', 1), view('view-1', 20), lead('ada-1', 21, erased)]
  const { after } = await figuresAround(entries, at(10))
  expect(after).toMatchObject({ view: 1, visit: 1, visitor: 1, visitor_last: 1 })
})

test('nor does a day count a visitor any more whose views of it are erased, where the device is still somebody’s', async () => {
  const daysLater = 3 * 24 * 60
  const entries = [
    lead('ben-1', 0, ben, 'device-2'),
    trackedEvent({ ...of('ben-2', 1), event: '$identify', traits: { email: ben } }),
    view('view-1', 2),
    view('view-2', daysLater),
    lead('ada-1', daysLater - 1, erased),
  ]
  const { before, after } = await figuresAround(entries, at(10))
  expect(before).toMatchObject({ view: 2, visit: 2, visitor: 2, visitor_last: 1 })
  expect(after).toMatchObject({ view: 1, visit: 1, visitor: 1, visitor_last: 1, viewedOn: 1 })
})

test('a device whose views have expired stays a visitor of their last day, though the rest of it is erased', async () => {
  const daysLater = 3 * 24 * 60
  const entries = [view('view-1', 0), view('view-2', daysLater), lead('ada-1', daysLater + 1, erased)]
  const { before, after } = await figuresAround(entries, at(10))
  expect(before).toMatchObject({ view: 2, visit: 2, visitor: 2, visitor_last: 1 })
  expect(after).toMatchObject({ view: 1, visit: 1, visitor: 1, visitor_last: 1, viewedOn: 1 })
})

test('a lead keeps the version of a page whose view has expired, and loses that of one that is erased', async () => {
  const shown = (id: string, minutes: number, split: string) =>
    pageView({ ...of(id, minutes), source: { ...browser, split, variant: 'b' } })
  await using box = new AForgettingBox()
  box.capture(
    shown('view-1', 0, 'launch'),
    lead('ben-1', 1, ben),
    lead('ada-1', 5, erased),
    shown('view-2', 6, 'offer'),
    lead('ben-2', 7, ben),
  )
  const leads = () => box.rows(`SELECT name, count FROM day_figure WHERE measure = 'split_lead' ORDER BY name`)
  const launch = (count: number) => ({ name: 'b:launch', count })
  box.expire(at(1))
  expect(leads()).toEqual([launch(3), { name: 'b:offer', count: 1 }])
  await box.erase(erased)
  expect(leads()).toEqual([launch(2)])
  const followed = `SELECT submission_fact.id, group_concat(value ->> '$.split') AS splits FROM submission_fact, json_each(versions) GROUP BY 1`
  expect(box.rows(followed)).toEqual([
    { id: 'ben-1', splits: 'launch' },
    { id: 'ben-2', splits: 'launch' },
  ])
})

const campaign = (id: string, minutes: number, utm_source: string) => ({
  ...view(id, minutes),
  attribution: { utm_source },
})
const signed = (id: string, minutes: number, recipient: string) =>
  click({ ...of(id, minutes), recipient, verdict: 'human' })

/** Where Ben's last submission came from, once what came before has expired and Ada is erased. */
async function originLeft(entries: Entry[], expiredBefore: number) {
  await using box = new AForgettingBox()
  box.capture(...entries)
  box.expire(expiredBefore)
  await box.erase(erased, { recipients: ['of-ada'] })
  const [fact] = box.rows(
    `SELECT first_touch ->> '$.source' AS first, last_touch ->> '$.source' AS last, lead_source AS source
     FROM submission_fact ORDER BY received_at DESC LIMIT 1`,
  )
  return fact
}

test('a direct view is told where all that has expired before it was the erased person’s', async () => {
  const entries = [campaign('view-1', 0, 'paper'), lead('ada-1', 1, erased), lead('ben-1', 2, ben), view('view-2', 3)]
  const fact = await originLeft([...entries, lead('ben-2', 4, ben)], at(2))
  expect(fact).toEqual({ first: 'direct', last: 'direct', source: 'direct' })
})

test('but not where what has expired was another’s too, which came before it', async () => {
  const entries = [
    campaign('view-1', 0, 'news'),
    lead('ada-1', 1, erased),
    lead('ben-1', 2, ben),
    campaign('view-2', 3, 'paper'),
    view('view-3', 6),
  ]
  const fact = await originLeft([...entries, lead('ben-2', 7, ben)], at(5))
  expect(fact).toEqual({ first: null, last: 'paper', source: 'paper' })
})

test('a touch of their own that has expired still goes before a direct view', async () => {
  const entries = [
    lead('ben-1', 0, ben),
    signed('click-1', 1, 'of-ben'),
    view('view-1', 4),
    signed('click-2', 5, 'of-ada'),
    lead('ben-2', 6, ben),
  ]
  const fact = await originLeft(entries, at(3))
  expect(fact).toEqual({ first: 'email', last: 'email', source: 'email' })
})

const everything: World = {
  whats: ['view', 'view', 'view', 'event', 'click', 'lead', 'refused', 'identify'],
  devices: [0, 0, 1],
  gapsMs: [0, 10 * minute, 20 * minute, 31 * minute, 26 * 60 * minute],
}

test('figures are those of a box that the person came to only with what has expired since', async () => {
  await fc.assert(
    fc.asyncProperty(happenings(everything), fc.nat(), async (happened, cut) => {
      await using box = new AForgettingBox()
      await using other = new AForgettingBox()
      const entries = entriesOf(happened)
      const before = entries[cut % entries.length]?.receivedAt ?? 0
      const hasExpired = ({ kind, receivedAt }: Entry) => kind !== 'submission' && receivedAt < before
      box.capture(...entries)
      box.expire(before)
      await box.erase(erased)
      other.capture(...entries.filter((entry) => hasExpired(entry) || !isErased(entry, entries)))
      other.expire(before)
      for (const query of [figures, devices, hits]) expect(box.rows(query)).toEqual(other.rows(query))
    }),
    { numRuns: runs, endOnFailure: true },
  )
})
