// Whoever forgets takes little at a time: captures wait for the write lock meanwhile.
import { expect, spyOn, test } from 'bun:test'
import { click, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const begin = Date.UTC(2026, 0, 1, 12)
const dayMs = 86_400_000
const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const cleo = 'cleo@customer.example'
const tieCount = 3000
/** Rows changed in one transaction; every tie is one. */
const changesMax = 2500
/** Ties that retention leaves of the thousands that a device had. */
const tiesLeftMax = 500

const identify = (number: number, email: string) =>
  trackedEvent({
    id: `event-${String(number).padStart(5, '0')}`,
    receivedAt: begin + number,
    event: '$identify',
    traits: { email },
  })

/** Watches how many rows each transaction changes. */
function changesOf(box: AForgettingBox): number[] {
  const { db } = box.connection
  const changes: number[] = []
  const total = () => box.rows<{ n: number }>('SELECT total_changes() AS n')[0]?.n ?? 0
  const transaction = db.transaction.bind(db)
  spyOn(db, 'transaction').mockImplementation((change, config) => {
    const before = total()
    const outcome = transaction(change, config)
    changes.push(total() - before)
    return outcome
  })
  return changes
}

const adaIdentifies = Array.from({ length: tieCount }, (_, number) => identify(number, ada))

test('an erasure takes thousands of ties of a device in parts', async () => {
  await using box = new AForgettingBox()
  box.capture(...adaIdentifies)
  const changes = changesOf(box)
  expect(await box.erase(ada)).toMatchObject({ events: tieCount, devices: 1 })
  expect(Math.max(...changes)).toBeLessThan(changesMax)
  expect({ ties: box.count('device_tie'), devices: box.count('device') }).toEqual({ ties: 0, devices: 0 })
})

test('and of a device that somebody else has had too, whose records stay theirs', async () => {
  await using box = new AForgettingBox()
  const lead = (id: string, receivedAt: number) => submission({ id, receivedAt, email: ben, fields: { id } })
  box.capture(lead('ben-1', begin - 1), ...adaIdentifies, lead('ben-2', begin + tieCount))
  const changes = changesOf(box)
  expect(await box.erase(ada)).toMatchObject({ events: tieCount, devices: 0 })
  expect(Math.max(...changes)).toBeLessThan(changesMax)
  expect(box.ids()).toEqual(['ben-1', 'ben-2'])
  const owners = box.rows(
    "SELECT coalesce(email, 'nobody') AS email, count(*) AS ties FROM device_tie LEFT JOIN person ON row = person_row GROUP BY 1",
  )
  expect(owners).toEqual([
    { email: ben, ties: 2 },
    { email: 'nobody', ties: tieCount },
  ])
  expect(await box.erase(ben)).toMatchObject({ submissions: 2, devices: 1 })
  expect(Math.max(...changes)).toBeLessThan(changesMax)
  expect(box.count('device_tie')).toBe(0)
})

test('and of a device that somebody else had in between each time, and some of whose records have expired', async () => {
  await using box = new AForgettingBox()
  const inTurns = adaIdentifies.map((_, number) => identify(number, number % 2 === 0 ? ada : ben))
  const bens = submission({ id: 'ben-1', receivedAt: begin + tieCount, email: ben, fields: { email: ben } })
  box.capture(...inTurns, bens)
  box.connection.raw.run('UPDATE device SET expired_at = ?', [begin + tieCount - 1])
  const changes = changesOf(box)
  await box.erase(ada)
  expect(Math.max(...changes)).toBeLessThan(changesMax)
  expect(box.staleMarks()).toBe(0)
})

test('and of a device that is nobody’s any more, which goes with its last record', async () => {
  await using box = new AForgettingBox()
  const bens = submission({ id: 'ben-1', receivedAt: begin - 1, email: ben, fields: { email: ben } })
  box.capture(bens, ...adaIdentifies)
  await box.erase(ada)
  const last = click({ id: 'click-1', receivedAt: begin + tieCount, recipient: 'of-cleo' })
  box.capture(last)
  const changes = changesOf(box)
  await box.erase(ben)
  expect(box.ids()).toEqual(['click-1'])
  await box.erase(cleo, { recipients: ['of-cleo'] })
  expect(Math.max(...changes)).toBeLessThan(changesMax)
  expect({ ties: box.count('device_tie'), devices: box.count('device') }).toEqual({ ties: 0, devices: 0 })
})

/** Lets all but submissions expire that was received before the thirtieth day. */
function expire(box: AForgettingBox): void {
  box.connection.raw.run(`UPDATE account SET settings = json_set(settings, '$.retention', json(?))`, [
    JSON.stringify({ submissionsDays: null, eventsDays: 10, refusedDays: 10 }),
  ])
  box.sweep(begin + 30 * dayMs, { msMax: 1 })
}

test('retention takes thousands of ties of a device in parts', async () => {
  await using box = new AForgettingBox()
  box.capture(...adaIdentifies)
  const changes = changesOf(box)
  expire(box)
  expect(Math.max(...changes)).toBeLessThan(changesMax)
  expect(['ledger', 'person', 'device', 'device_tie'].map((table) => box.count(table))).toEqual([0, 0, 0, 0])
})

test.each([
  ['one after the other', adaIdentifies],
  ['in turns with somebody else', adaIdentifies.map((_, number) => identify(number, number % 2 === 0 ? ada : cleo))],
])('and of one that somebody still uses, as their records expire, tied %s', async (_, identifies) => {
  await using box = new AForgettingBox()
  const bens = submission({ id: 'ben-1', receivedAt: begin + tieCount, email: ben, fields: { email: ben } })
  box.capture(...identifies, bens)
  const changes = changesOf(box)
  expire(box)
  expect(Math.max(...changes)).toBeLessThan(changesMax)
  expect(box.ids()).toEqual(['ben-1'])
  expect(box.rows('SELECT email FROM person')).toEqual([{ email: ben }])
  expect(box.rows('SELECT email FROM device_tie JOIN person ON row = person_row')).toEqual([{ email: ben }])
  expect(box.count('device_tie')).toBeLessThan(tiesLeftMax)
})
