// Contract section 8: after an erasure everything is as if the person had never been there.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { click, pageView, source, submission, trackedEvent } from '../../report/sample-entries.ts'
import { AForgettingBox } from './a-forgetting-box.ts'

const runs = 25
const testMsMax = 120_000
const minute = 60_000
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const erased = 'ada@customer.example'
const people = [erased, 'ben@customer.example'] as const

interface Happening {
  what: 'view' | 'event' | 'click' | 'lead' | 'repeat' | 'refused' | 'identify'
  /** `null`: a submission without a device, of nobody in particular. */
  person: number | null
  device: number
  gapMs: number
}

interface World {
  whats: readonly Happening['what'][]
  devices: readonly number[]
  gapsMs: readonly number[]
}

const happenings = ({ whats, devices, gapsMs }: World) =>
  fc.array(
    fc.record<Happening>({
      what: fc.constantFrom(...whats),
      person: fc.constantFrom(0, 1, null),
      device: fc.constantFrom(...devices),
      gapMs: fc.constantFrom(...gapsMs),
    }),
    { minLength: 5, maxLength: 40 },
  )

function entriesOf(happened: readonly Happening[]): Entry[] {
  let receivedAt = Date.UTC(2026, 9, 20, 12)
  return happened.map(({ what, person, device, gapMs }, number) => {
    receivedAt += gapMs
    const of = { id: `entry-${number + 10}`, receivedAt, deviceId: `device-${device}`, source: browser }
    const email = person === null ? null : (people[person] ?? null)
    const made: Record<Happening['what'], () => Entry> = {
      view: () => pageView(of),
      event: () => trackedEvent(of),
      click: () => click({ ...of, recipient: null }),
      lead: () => submission({ ...of, email, fields: { number } }),
      repeat: () => submission({ ...of, email: null, fields: { message: 'Hello' } }),
      refused: () => submission({ ...of, email, fields: { number }, status: 'refused', refusedFor: 'honeypot' }),
      identify: () => trackedEvent({ ...of, event: '$identify', traits: email === null ? { number } : { email } }),
    }
    return made[what]()
  })
}

/** Whose each entry is, by contract section 8 read word for word. */
function isErased(entry: Entry, entries: readonly Entry[]): boolean {
  if (entry.kind === 'submission' && entry.email !== null) return entry.email === erased
  const ties = entries.filter((other) => other.deviceId === entry.deviceId && tiedTo(other) !== null)
  const before = ties.filter(({ receivedAt, id }) => `${receivedAt} ${id}` <= `${entry.receivedAt} ${entry.id}`)
  const tie = before.at(-1) ?? ties[0]
  return tie !== undefined && tiedTo(tie) === erased
}

function tiedTo(entry: Entry): string | null {
  if (entry.kind === 'submission') return entry.status === 'accepted' ? entry.email : null
  if (entry.kind !== 'event' || entry.event !== '$identify') return null
  return typeof entry.traits?.email === 'string' ? entry.traits.email : null
}

/**
 * Verdicts were told from all records there were, and are told no second time. Sources are told from the touches that are
 * left: a direct view that came after an erased touch has left none.
 */
const figures = `
  SELECT day, replace(replace(measure, 'click_human', 'click'), 'click_suspected', 'click') AS what,
    CASE measure WHEN 'lead_source' THEN '' ELSE name END AS name, sum(count) AS count
  FROM day_figure GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3`
const devices = `
  SELECT device.id, hit_at, view_day, page_at, (SELECT json_group_array(day) FROM visitor_day WHERE device_row = row) AS days
  FROM device ORDER BY device.id`
const hits = `
  SELECT ledger.id, day, counted FROM device_entry JOIN ledger USING (sequence) ORDER BY ledger.id`
const duplicates = `SELECT id, duplicate_of FROM submission_fact ORDER BY id`

/** Times at which a submission says that its device was touched, though nothing that is left tells of it. */
const untoldTouches = `
  SELECT fact.id FROM submission_fact fact, json_each(json_array(first_touch ->> '$.at', last_touch ->> '$.at')) said
  WHERE said.value IS NOT NULL AND NOT EXISTS (SELECT 1 FROM touch
    WHERE touch.device_row = fact.device_row AND touch ->> '$.at' = said.value)`
const sources = `
  SELECT day, name, count FROM day_figure WHERE measure = 'lead_source' ORDER BY day, name`
const sourcesCounted = `
  SELECT lead_day AS day, lead_source AS name, count(*) AS count FROM submission_fact
  WHERE lead_source IS NOT NULL AND lead_source = coalesce(last_touch ->> '$.source', 'unknown')
  GROUP BY 1, 2 ORDER BY 1, 2`

const stateOf = (box: AForgettingBox) => [figures, devices, hits, duplicates].map((query) => box.rows(query))

const everything: World = {
  whats: ['view', 'view', 'view', 'event', 'click', 'lead', 'repeat', 'refused', 'identify'],
  devices: [0, 0, 1],
  gapsMs: [0, 10 * minute, 31 * minute, 26 * 60 * minute],
}
const theSameAgain: World = { whats: ['repeat', 'repeat', 'lead'], devices: [0], gapsMs: [0, 4 * minute, 10 * minute] }

test.each<[string, World]>([
  ['everything', everything],
  ['the same again and again', theSameAgain],
])(
  'figures, devices and what is left are those of a box that never met the person: %s',
  async (_, world) => {
    await fc.assert(
      fc.asyncProperty(happenings(world), async (happened) => {
        await using box = new AForgettingBox()
        await using other = new AForgettingBox()
        const entries = entriesOf(happened)
        const left = entries.filter((entry) => !isErased(entry, entries))
        box.capture(...entries)
        await box.erase(erased)
        other.capture(...left)
        expect(box.ids()).toEqual(left.map(({ id }) => id))
        expect(stateOf(box)).toEqual(stateOf(other))
        expect(box.rows(untoldTouches)).toEqual([])
        expect(box.rows(sources)).toEqual(box.rows(sourcesCounted))
        expect(box.rows('SELECT email FROM person ORDER BY email')).toEqual(
          other.rows('SELECT email FROM person ORDER BY email'),
        )
      }),
      { numRuns: runs },
    )
  },
  testMsMax,
)

test('a likely duplicate is taken from the day it counted for, whatever the account’s time zone is by now', async () => {
  await using box = new AForgettingBox()
  const late = Date.UTC(2026, 9, 20, 23)
  box.capture(
    submission({ id: 'lead-1', receivedAt: late, email: erased }),
    submission({ id: 'lead-2', receivedAt: late + 2, email: erased }),
    // Committed late: where both came from is told again.
    pageView({ id: 'view-1', receivedAt: late - 1, source: browser }),
  )
  expect(box.rows(`SELECT count FROM day_figure WHERE measure = 'duplicate'`)).toEqual([{ count: 1 }])
  box.connection.raw.run(`UPDATE account SET settings = json_set(settings, '$.timezone', 'Asia/Tokyo')`)
  await box.erase(erased)
  expect(box.rows(figures)).toEqual([])
})
