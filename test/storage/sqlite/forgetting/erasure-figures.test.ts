// docs/privacy.md, "Erasing a person": after an erasure everything is as if the person had never been there.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SqlitePersonReader } from '../../../../src/storage/sqlite/persons/person-reader.ts'
import { pageView, submission } from '../../../report/sample-entries.ts'
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
import { versionsOfEvents } from '../versions-of-events.ts'

const runs = 25

const pages = 'SELECT id, page_at, page_slug, versions FROM device ORDER BY id'
const pagesBefore = 'SELECT id, page_at, page_slug, versions FROM submission_fact ORDER BY id'
const touches = 'SELECT id, first_touch, last_touch, lead_source FROM submission_fact ORDER BY id'
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

const stateOf = (box: AForgettingBox) =>
  [figures, sources, devices, pages, pagesBefore, touches, hits, duplicates].map((query) => box.rows(query))

/** Who is known, and where each came from. */
async function personsOf(box: AForgettingBox) {
  const rows = await new SqlitePersonReader(box.connection).page({ accountId: 'account-a', after: null, limit: 10 })
  return new Map(rows.map(({ person: { email, first, last } }) => [email, { first, last }]))
}

const everything: World = {
  whats: ['view', 'view', 'view', 'script view', 'event', 'click', 'lead', 'repeat', 'refused', 'identify'],
  devices: [0, 0, 1],
  gapsMs: [0, 10 * minute, 31 * minute, 26 * 60 * minute],
}
const theSameAgain: World = { whats: ['repeat', 'repeat', 'lead'], devices: [0], gapsMs: [0, 4 * minute, 10 * minute] }

test.each<[string, World]>([
  ['everything', everything],
  ['the same again and again', theSameAgain],
])('figures, devices and what is left are those of a box that never met the person: %s', async (_, world) => {
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
      expect(await versionsOfEvents(box.connection, left)).toEqual(await versionsOfEvents(other.connection, left))
      expect(box.rows(untoldTouches)).toEqual([])
      expect(box.rows(sources)).toEqual(box.rows(sourcesCounted))
      expect(await personsOf(box)).toEqual(await personsOf(other))
    }),
    { numRuns: runs },
  )
})

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
