// How many submissions wait in quarantine is kept beside them: it has to follow whatever adds, releases and deletes them.
import { expect, test } from 'bun:test'
import { SqliteFigureReader } from '../../../../src/storage/sqlite/report/figure-reader.ts'
import { released, submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
const day = 20_500
const at = (minutes: number): number => day * dayMs + minutes * minuteMs

const refused = (id: string, minutes: number, email: string | null = null) =>
  submission({ id, email, status: 'refused', refusedFor: 'honeypot', deviceId: null, receivedAt: at(minutes) })

const waiting = [
  refused('early', 14),
  refused('alike', 14),
  refused('later', 15),
  refused('of-ada', 16, 'ada@example.test'),
  refused('next-day', 24 * 60),
  { ...refused('of-the-test-page', 16), test: true },
  submission({ id: 'accepted', email: null, deviceId: null, receivedAt: at(16) }),
]

async function quarantined(box: AForgettingBox, fromAt = 0, untilAt = Number.MAX_SAFE_INTEGER): Promise<number> {
  const reader = new SqliteFigureReader(box.database.reader())
  const until = { day: Math.floor(untilAt / dayMs), at: untilAt }
  return (await reader.read('account-a', { fromDay: 0, fromAt, until })).quarantined
}

const kept = (box: AForgettingBox): string[] =>
  box.rows('SELECT * FROM quarantine_count').map((row) => JSON.stringify(row))

test('submissions in quarantine are counted, each in the period it was received in', async () => {
  await using box = new AForgettingBox()
  box.capture(...waiting)
  expect(await quarantined(box)).toBe(5)
  expect(await quarantined(box, at(0), at(15))).toBe(2)
  expect(await quarantined(box, at(15), at(24 * 60))).toBe(2)
  expect(await quarantined(box, at(24 * 60))).toBe(1)
})

test('a released submission is counted no more, in whichever step it is released', async () => {
  await using box = new AForgettingBox()
  box.capture(...waiting, released('early', at(30)))
  expect(await quarantined(box)).toBe(4)
  box.capture(released('later', at(40)))
  expect(await quarantined(box)).toBe(3)
})

test('an erased submission is counted no more, and a released one is not subtracted again', async () => {
  await using box = new AForgettingBox()
  box.capture(...waiting, released('of-ada', at(30)))
  expect(await quarantined(box)).toBe(4)
  await box.erase('ada@example.test')
  expect(await quarantined(box)).toBe(4)
  box.capture(refused('of-ada-again', 50, 'ada@example.test'))
  expect(await quarantined(box)).toBe(5)
  await box.erase('ada@example.test')
  expect(await quarantined(box)).toBe(4)
})

test('expired submissions are counted no more, and leave no rows', async () => {
  await using box = new AForgettingBox()
  box.capture(...waiting)
  box.connection.raw.run(
    `UPDATE account SET settings = json_set(settings, '$.retention', json(?)) WHERE id = 'account-a'`,
    [JSON.stringify({ submissionsDays: null, eventsDays: null, refusedDays: 1 })],
  )
  box.sweep(at(2 * 24 * 60 - 1))
  expect(await quarantined(box)).toBe(1)
  expect(kept(box)).toHaveLength(1)
})
