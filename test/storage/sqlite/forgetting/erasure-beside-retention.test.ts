// Retention may have come to any place before and after an erasure. What both leave is what others told, and
// nothing tells of the person.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { pageView, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { entriesOf, erased, happenings, isErased, minute, type World } from '../shared-devices.ts'
import { eraseInSteps } from './erase-until.ts'

const runs = 30
const noon = Date.UTC(2026, 9, 20, 12)

/** No two records at the same time, so that the time of a touch names the record that told it. */
const world: World = {
  whats: ['view', 'view', 'script view', 'event', 'click', 'lead', 'lead', 'lead', 'repeat', 'refused', 'identify'],
  devices: [0, 0, 0, 1],
  gapsMs: [minute, 10 * minute, 31 * minute, 26 * 60 * minute],
}

const touches = `
  SELECT device.id AS device, received_at AS at, entry_id AS entry, is_direct AS isDirect, touch
  FROM touch JOIN device ON device.row = device_row ORDER BY entry_id`
const touchesOf = (box: AForgettingBox) => new Set(box.rows(touches).map((row) => JSON.stringify(row)))
const lives = 'SELECT ledger.id, life_at AS lifeAt FROM click_fact JOIN ledger USING (sequence) ORDER BY ledger.id'
const repeats = 'SELECT id, duplicate_of AS duplicateOf FROM submission_fact ORDER BY id'
const visits = `
  SELECT device.id, day FROM visitor_day JOIN device ON device.row = device_row
  WHERE EXISTS (SELECT 1 FROM device_entry entry WHERE entry.device_row = device.row) ORDER BY 1, 2`
const persons = 'SELECT email FROM person ORDER BY email'

interface Told {
  id: string
  first: string | null
  last: string | null
  page: number | null
}

const told = `
  SELECT id, first_touch ->> '$.at' AS first, last_touch ->> '$.at' AS last, page_at AS page
  FROM submission_fact ORDER BY id`

/** Receipts of what the origins of the submissions that are left were told by. */
const tellers = (rows: Told[]): number[] =>
  rows.flatMap(({ first, last, page }) => [
    ...[first, last].flatMap((at) => (at === null ? [] : [Date.parse(at)])),
    ...(page === null ? [] : [page]),
  ])

interface Tie {
  device: string
  at: number
  email: string | null
}

const ties = `
  SELECT device.id AS device, received_at AS at, email
  FROM device_tie JOIN device ON device.row = device_row LEFT JOIN person ON person.row = person_row
  ORDER BY received_at`

/** Whose the box knows the device to have been then. Retention ends a tie of which no record is left. */
function ownerKnown(rows: readonly Tie[], { deviceId, receivedAt }: Entry): string | null {
  const own = rows.filter(({ device }) => device === deviceId)
  return (own.findLast(({ at }) => at <= receivedAt) ?? own[0])?.email ?? null
}

test('wherever retention has come to before an erasure and after it, others’ touches, lives, repeats and visits are as they were without the person', async () => {
  await fc.assert(
    fc.asyncProperty(happenings(world), fc.nat(), fc.nat(), async (happened, one, two) => {
      await using box = new AForgettingBox()
      await using once = new AForgettingBox()
      await using never = new AForgettingBox()
      const entries = entriesOf(happened)
      const at = (cut: number) => entries[cut % entries.length]?.receivedAt ?? 0
      const [before, after] = [at(one), at(two)]
      const hasExpired = ({ kind, receivedAt }: Entry) => kind !== 'submission' && receivedAt < before
      const gone = entries.filter((entry) => isErased(entry, entries))
      box.capture(...entries)
      box.expire(before)
      const known = box.rows<Tie>(ties)
      await box.erase(erased)
      box.expire(after)
      once.capture(...entries.filter((entry) => hasExpired(entry) || !gone.includes(entry)))
      never.capture(...entries.filter((entry) => !gone.includes(entry)))
      for (const other of [once, never]) {
        other.expire(before)
        other.expire(after)
        expect(box.ids()).toEqual(other.ids())
      }
      for (const query of [lives, repeats, visits]) expect(box.rows(query)).toEqual(once.rows(query))
      const left = touchesOf(box)
      const [asOnce, asNever] = [touchesOf(once), touchesOf(never)]
      expect(left.isSubsetOf(asOnce.union(asNever))).toBe(true)
      expect(left.isSupersetOf(asOnce.intersection(asNever))).toBe(true)
      expect(box.staleMarks()).toBe(0)
      expect(box.rows<{ email: string }>(persons).map(({ email }) => email)).not.toContain(erased)
      const found = gone.filter((entry) => ownerKnown(known, entry) === erased)
      const times = new Set(found.map(({ receivedAt }) => receivedAt))
      expect(tellers(box.rows<Told>(told)).filter((teller) => times.has(teller))).toEqual([])
    }),
    { numRuns: runs, endOnFailure: true },
  )
})

const of = (id: string, minutes: number) => ({ id, deviceId: 'shared', receivedAt: noon + minutes * minute })
const identify = (id: string, minutes: number, email: string) =>
  trackedEvent({ ...of(id, minutes), event: '$identify', traits: { email } })
const view = (id: string, minutes: number) => pageView({ ...of(id, minutes), attribution: { utm_source: id } })
const lead = (id: string, minutes: number) =>
  submission({ ...of(id, minutes), email: 'ben@customer.example', fields: { id } })

test('what the person’s records told goes, before whichever step of the erasure retention deletes others’ later ones', async () => {
  const entries = [identify('ada', 0, erased), view('theirs', 1), lead('ben-1', 2), view('bens', 3), lead('ben-2', 4)]
  let steps = 1
  for (let step = 0; step < steps; step++) {
    await using box = new AForgettingBox()
    box.capture(...entries)
    steps = await eraseInSteps(box, erased, (next) => {
      // What is due before the records of the person are found goes with them, and nobody knows any more whose it was.
      if (next === step && !box.ids().includes('theirs')) box.expire(noon + 3.5 * minute)
    })
    expect(tellers(box.rows<Told>(told)).filter((teller) => teller <= noon + minute)).toEqual([])
    expect(box.staleMarks()).toBe(0)
  }
  expect(steps).toBeGreaterThan(3)
})
