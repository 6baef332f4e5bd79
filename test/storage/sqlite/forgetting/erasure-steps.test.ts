// docs/decisions/0046: whatever holds the write lock is bounded, however much of others follows from what is erased.
import { expect, spyOn, test } from 'bun:test'
import { pageView, source, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const erased = 'ada@customer.example'
const start = Date.UTC(2026, 9, 20)
const minute = 60_000

/** See `changesPerPart` in stale-devices.ts. */
const leadsPerStep = 25
/** Beside a row for each lead: figures and marks, which they share. */
const rowsPerStepMax = 2 * leadsPerStep

/** A device of the person, whose views have partly expired, and then another's, who sent so many leads that came from those. */
async function erasedBehind(leads: number): Promise<AForgettingBox> {
  const box = new AForgettingBox()
  const of = (number: number) => ({ deviceId: 'shared', source: browser, receivedAt: start + number * minute })
  const view = (id: string, at: number, from: string) => pageView({ id, ...of(at), attribution: { utm_source: from } })
  box.capture(
    trackedEvent({ id: 'identify', ...of(0), event: '$identify', traits: { email: erased } }),
    view('expired', 1, 'expired'),
    view('kept', 3, 'kept'),
    ...Array.from({ length: leads }, (_, number) =>
      submission({ id: `lead-${number}`, ...of(4 + number), email: 'ben@customer.example', fields: { number } }),
    ),
  )
  box.expire(start + 2 * minute)
  box.capture(view('late', 0.5, 'late'))
  return box
}

/** How many rows each transaction of the erasure changes. */
async function rowsOfSteps(box: AForgettingBox): Promise<number[]> {
  const { db, raw } = box.connection
  const transaction = db.transaction.bind(db)
  const total = () => raw.query<{ n: number }, []>('SELECT total_changes() AS n').get()?.n ?? 0
  const rows: number[] = []
  const counting = spyOn(db, 'transaction').mockImplementation((change, config) => {
    const before = total()
    const result = transaction(change, config)
    rows.push(total() - before)
    return result
  })
  try {
    expect(await box.erase(erased)).toMatchObject({ pageViews: 2, verified: true })
  } finally {
    counting.mockRestore()
  }
  return rows
}

test('thousands of others’ leads that came from erased views move a few at a time', async () => {
  await using box = await erasedBehind(2000)
  const rows = await rowsOfSteps(box)
  expect(rows.length).toBeGreaterThan(2000 / leadsPerStep)
  expect(Math.max(...rows)).toBeLessThanOrEqual(rowsPerStepMax)
  const sources = `SELECT DISTINCT lead_source AS source FROM submission_fact`
  expect(box.rows(sources)).toEqual([{ source: 'unknown' }])
})
