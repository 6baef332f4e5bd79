// docs/privacy.md, "How long": records are kept as long as site.toml says, and what was made of them no longer.
import { describe, expect, test } from 'bun:test'
import type { RetentionSettings } from '../../../../src/account/account.ts'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { Retention } from '../../../../src/storage/sqlite/forgetting/retention.ts'
import { processorMs } from '../../../harness/processor-time.ts'
import { click, pageView, released, source, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { allowDeletion } from '../allow-deletion.ts'
import { storeEntries } from '../stored-entries.ts'

const dayMs = 86_400_000
const begin = Date.UTC(2026, 0, 1, 12)
const on = (day: number): number => begin + day * dayMs
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const stepsMax = 10_000
const stepsUntilFailure = 50

const view = (id: string, day: number, of: Partial<Entry> = {}) =>
  pageView({ id, receivedAt: on(day), source: browser, ...of } as Parameters<typeof pageView>[0])
const lead = (id: string, day: number, of: Parameters<typeof submission>[0] = {}) =>
  submission({ id, receivedAt: on(day), fields: { id }, ...of })
const refused = (id: string, day: number) =>
  lead(id, day, { status: 'refused', refusedFor: 'honeypot', email: null, deviceId: null })

function keep(box: AForgettingBox, retention: RetentionSettings, account = 'account-a'): void {
  box.connection.raw.run(`UPDATE account SET settings = json_set(settings, '$.retention', json(?)) WHERE id = ?`, [
    JSON.stringify(retention),
    account,
  ])
}

/** Retention that may delete all that has expired by then; it takes a clock of its own, or one that stands still. */
function retentionAt(
  box: AForgettingBox,
  now: () => number,
  { keptMax, ms = () => 0 }: { keptMax?: number; ms?: () => number } = {},
) {
  allowDeletion(box.connection, now())
  return new Retention({ now, monotonicMs: ms }, () => {}, keptMax)
}

/** Lets retention do on that day what it has to. */
function sweep(box: AForgettingBox, day: number, keptMax?: number): void {
  box.sweep(on(day), { msMax: 1, keptMax })
}

/** Going through all of them takes seconds; a step of the service is to take one millisecond. */
const heldUpMs = 500

function longestStepMs(step: () => 'more' | 'done'): number {
  let longestMs = 0
  for (let outcome: 'more' | 'done' = 'more'; outcome === 'more'; ) {
    const stepMs = processorMs(() => {
      outcome = step()
    })
    longestMs = Math.max(longestMs, stepMs)
  }
  return longestMs
}

describe('retention', () => {
  test('keeps all but refused submissions where nothing is said, and those for 30 days', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', 0), view('view-1', 0), refused('refused-1', 0), refused('refused-2', 1))
    sweep(box, 30.5)
    expect(box.ids()).toEqual(['lead-1', 'view-1', 'refused-2'])
  })

  test('deletes events, page views and clicks by their own term, submissions by theirs', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 100, eventsDays: 10, refusedDays: 30 })
    box.capture(
      trackedEvent({ id: 'event-1', receivedAt: on(0) }),
      view('view-1', 1),
      click({ id: 'click-1', receivedAt: on(2) }),
      lead('lead-1', 3),
      view('view-2', 50),
    )
    sweep(box, 55)
    expect(box.ids()).toEqual(['lead-1', 'view-2'])
    sweep(box, 110)
    expect(box.ids()).toEqual([])
  })

  test('leaves nothing of a device, a person or their touches when no record of them is left', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    box.capture(
      view('view-1', 0),
      lead('lead-1', 0),
      trackedEvent({ id: 'event-1', receivedAt: on(1), event: '$identify', traits: { plan: 'pro' } }),
    )
    sweep(box, 30)
    const tables = ['ledger', 'person', 'device', 'device_entry', 'device_tie', 'device_traits', 'touch', 'visitor_day']
    expect(tables.filter((table) => box.count(table) > 0)).toEqual([])
    expect(box.count('submission_fact')).toBe(0)
  })

  test('keeps a person as long as any record of theirs, and whose device it is', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: null, refusedDays: 10 })
    box.capture(view('view-1', 0), lead('lead-1', 1), view('view-2', 20))
    sweep(box, 30)
    expect(box.ids()).toEqual(['view-1', 'view-2'])
    expect({ persons: box.count('person'), ties: box.count('device_tie') }).toEqual({ persons: 1, ties: 1 })
  })

  test('forgets who had a device before somebody else, once no record of theirs is left', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    box.capture(
      lead('lead-1', 0, { email: 'ada@customer.example' }),
      lead('lead-2', 20, { email: 'ben@customer.example' }),
    )
    sweep(box, 25)
    expect(box.rows('SELECT email FROM person')).toEqual([{ email: 'ben@customer.example' }])
    expect(box.ids()).toEqual(['lead-2'])
  })

  test('keeps a person of whom a record is left from before their device was first tied to them', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: null, refusedDays: 10 })
    box.capture(
      view('view-1', 0),
      lead('lead-1', 1, { email: 'ada@customer.example' }),
      lead('lead-2', 2, { email: 'ben@customer.example' }),
    )
    sweep(box, 25)
    expect(box.rows('SELECT email FROM person')).toEqual([{ email: 'ada@customer.example' }])
    expect(box.ids()).toEqual(['view-1'])
  })

  test('keeps a person by the record of any of their times and devices, among those of others', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: null, refusedDays: 10 })
    const of = (email: string, deviceId = 'device-1') => ({ email: `${email}@customer.example`, deviceId })
    box.capture(
      lead('lead-1', 0, of('ada')),
      view('view-1', 1, { deviceId: 'device-1' }),
      lead('lead-2', 2, of('ben')),
      lead('lead-3', 3, of('ada')),
      lead('lead-4', 4, of('ben')),
      lead('lead-5', 5, of('ada', 'device-2')),
    )
    sweep(box, 25)
    expect(box.rows('SELECT email FROM person')).toEqual([{ email: 'ada@customer.example' }])
    expect(box.ids()).toEqual(['view-1'])
  })

  test('holds nobody up for a device that named thousands of persons', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    const persons = Array.from({ length: 3000 }, (_, n) => ({
      id: `event-${n}`,
      email: `person-${n}@customer.example`,
    }))
    box.capture(
      ...persons.map(({ id, email }, n) =>
        trackedEvent({ id, receivedAt: on(0) + n, event: '$identify', traits: { email } }),
      ),
    )
    const retention = retentionAt(box, () => on(30), { ms: systemClock.monotonicMs })
    expect(longestStepMs(() => retention.run(box.connection, 1))).toBeLessThan(heldUpMs)
    expect({ records: box.count('ledger'), persons: box.count('person') }).toEqual({ records: 0, persons: 0 })
  })

  test('leaves roll-ups as they were counted', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    box.capture(view('view-1', 0), lead('lead-1', 0))
    const figures = 'SELECT * FROM day_figure ORDER BY day, measure, name'
    const before = box.rows(figures)
    sweep(box, 30)
    expect(before.length).toBeGreaterThan(0)
    expect(box.rows(figures)).toEqual(before)
  })

  test('reaches what the test page sent', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    box.capture(
      lead('lead-1', 0, { test: true }),
      view('view-1', 0, { test: true }),
      lead('lead-2', 20, { test: true }),
    )
    sweep(box, 25)
    expect(box.ids()).toEqual(['lead-2'])
  })

  test('is not misled by a clock that was set back for a while', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: null, eventsDays: 10, refusedDays: 30 })
    box.capture(view('view-1', 400), view('view-2', 0), view('view-3', 1), view('view-4', 20))
    sweep(box, 25)
    expect(box.ids()).toEqual(['view-1', 'view-4'])
  })

  test('finds what has expired behind hundreds of records from when the clock was years ahead', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    const ahead = Array.from({ length: 200 }, (_, n) => n + 100)
    box.capture(
      ...ahead.map((n) => view(`ahead-${n}`, 1500)),
      ...ahead.map((n) => lead(`lead-${n}`, 1500, { test: true })),
    )
    box.capture(view('view-1', 0), lead('lead-1', 0, { test: true }), view('view-2', 20))
    sweep(box, 25)
    expect(box.ids().filter((id) => !/-\d{3}$/.test(id))).toEqual(['view-2'])
    expect(box.count('ledger')).toBe(401)
  })

  test('goes on where a failure had stopped it, over another connection', async () => {
    await using box = new AForgettingBox()
    for (const account of ['account-a', 'account-b']) {
      keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 }, account)
      box.capture(
        view(`${account}-view`, 0, { accountId: account }),
        lead(`${account}-lead`, 0, { accountId: account }),
      )
    }
    const retention = retentionAt(box, () => on(25))
    const isAtSecond = () => box.ids().filter((id) => id.startsWith('account-b')).length < 2
    for (let step = 0; !isAtSecond(); step++) {
      if (step > stepsMax) throw new Error('it never comes to the second account')
      retention.run(box.connection, 0)
    }
    // Another sweep of the first account would find it.
    box.capture(view('late', 0))
    const anew = box.database.connect()
    for (let step = 0; retention.run(anew, 0) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
    expect(box.ids()).toEqual(['late'])
  })

  test('forgets nothing of what it left behind where it was stopped time and again', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    const sent = Array.from({ length: 400 }, (_, n) =>
      lead(`lead-${n + 100}`, n < 64 && n % 2 === 0 ? 20 : 0, { test: true }),
    )
    box.capture(...sent)
    let [day, monotonicMs] = [0, 0]
    const retention = retentionAt(box, () => on(day), { ms: () => monotonicMs })
    const sweepWithFailures = (onDay: number) => {
      day = onDay
      let { connection } = box
      allowDeletion(connection, on(day))
      for (let step = 1; retention.run(connection, 0) === 'more'; step++) {
        if (step > stepsMax) throw new Error('it never ends')
        if (step % stepsUntilFailure === 0) connection = box.database.connect()
      }
    }
    sweepWithFailures(25)
    expect(box.count('ledger')).toBe(32)
    monotonicMs += dayMs
    sweepWithFailures(40)
    expect(box.count('ledger')).toBe(0)
  })

  test('goes by each account’s own settings', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: null, eventsDays: 10, refusedDays: 30 }, 'account-b')
    box.capture(view('view-a', 0), view('view-b', 0, { accountId: 'account-b' }))
    sweep(box, 25)
    expect(box.ids()).toEqual(['view-a'])
  })

  test('leaves what processing has not come to yet', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 10, eventsDays: 10, refusedDays: 10 })
    box.capture(view('view-1', 0))
    box.connection.raw.run('UPDATE processing SET cursor = 0')
    sweep(box, 25)
    expect(box.ids()).toEqual(['view-1'])
  })
})

describe('while records wait to be processed, retention', () => {
  const dayByDay = { submissionsDays: 1, eventsDays: 1, refusedDays: 1 }

  test('leaves what they find of their device and person, so that they make what they would have made at once', async () => {
    await using box = new AForgettingBox()
    keep(box, dayByDay)
    box.capture(view('view-1', 0, { attribution: { utm_source: 'paper' } }), view('view-2', 0.01), lead('lead-1', 0.02))
    const whole = box.rows('SELECT * FROM day_figure ORDER BY day, measure, name')
    await using other = new AForgettingBox()
    keep(other, dayByDay)
    other.capture(view('view-1', 0, { attribution: { utm_source: 'paper' } }))
    storeEntries(other.database.file, [view('view-2', 0.01), lead('lead-1', 0.02)])
    sweep(other, 25)
    expect(other.ids()).toEqual(['view-1', 'view-2', 'lead-1'])
    other.capture()
    sweep(other, 25)
    expect(other.ids()).toEqual([])
    expect(other.rows('SELECT * FROM day_figure ORDER BY day, measure, name')).toEqual(whole)
  })

  test('deletes what had expired when the oldest of them was received', async () => {
    await using box = new AForgettingBox()
    keep(box, dayByDay)
    box.capture(view('view-1', 0), view('view-2', 2))
    storeEntries(box.database.file, [view('view-3', 2.5)])
    sweep(box, 25)
    expect(box.ids()).toEqual(['view-2', 'view-3'])
  })

  test('keeps a release as long as its submission, which it keeps as long as an accepted one', async () => {
    await using box = new AForgettingBox()
    keep(box, { submissionsDays: 100, eventsDays: 10, refusedDays: 10 })
    box.capture(refused('refused-1', 0), refused('refused-2', 0), released('refused-1', on(1)))
    sweep(box, 25)
    expect(box.ids()).toEqual(['refused-1', 'refused-1'])
    sweep(box, 125)
    expect(box.ids()).toEqual([])
  })

  test('leaves a submission whose release waits', async () => {
    await using box = new AForgettingBox()
    keep(box, dayByDay)
    box.capture(refused('refused-1', 0))
    storeEntries(box.database.file, [released('refused-1', on(25))])
    sweep(box, 25)
    expect(box.ids()).toEqual(['refused-1', 'refused-1'])
    box.capture()
    expect(box.rows(`SELECT count FROM day_figure WHERE measure = 'lead'`)).toEqual([{ count: 1 }])
    sweep(box, 25)
    expect(box.ids()).toEqual([])
  })
})

describe('of refused submissions an account keeps the newest up to the limit', () => {
  const flood = (count: number) => Array.from({ length: count }, (_, n) => refused(`refused-${n}`, n / 10_000))

  test('at every sweep', async () => {
    await using box = new AForgettingBox()
    box.capture(...flood(150), lead('lead-1', 0))
    sweep(box, 1, 100)
    expect(box.ids()).toEqual([
      ...flood(150)
        .slice(50)
        .map(({ id }) => id),
      'lead-1',
    ])
  })

  test('and under a flood, long before the next sweep', async () => {
    await using box = new AForgettingBox()
    const retention = retentionAt(box, () => on(1), { keptMax: 100 })
    retention.run(box.connection, 1)
    box.capture(...flood(2500))
    retention.run(box.connection, 1)
    expect(box.count('ledger')).toBe(100)
  })

  test('those that were released not counted away', async () => {
    await using box = new AForgettingBox()
    box.capture(...flood(150), released('refused-3', on(0.1)))
    storeEntries(box.database.file, [released('refused-4', on(0.1))])
    sweep(box, 1, 100)
    expect(box.ids().slice(0, 3)).toEqual(['refused-3', 'refused-4', 'refused-50'])
  })
})

test('counts of refusals and of missing addresses go after 90 days, also where nothing is counted any more', async () => {
  await using box = new AForgettingBox()
  const { raw } = box.connection
  const [hour, day] = [on(0) / 3_600_000, Math.floor(on(0) / dayMs)]
  for (const later of [0, 1]) {
    raw.run(`INSERT INTO refusal_count VALUES (1, ?, 'form', 'origin', '', 1)`, [hour + later * 24])
    raw.run(`INSERT INTO missing_count VALUES (1, ?, '/old', 1)`, [day + later])
  }
  const left = () => [box.count('refusal_count'), box.count('missing_count')]
  sweep(box, 90)
  expect(left()).toEqual([2, 2])
  sweep(box, 91)
  expect(left()).toEqual([1, 1])
})
