// Whether retention would take most of an account's records of a class at once.
import { expect, test } from 'bun:test'
import { noRecords } from '../../../../src/processing/retention.ts'
import { mostOfAccount } from '../../../../src/storage/sqlite/forgetting/expired-records.ts'
import { knownAccountRow } from '../../../../src/storage/sqlite/lookup/account-row.ts'
import { click, pageView, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const cutoff = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000
const manyRows = 2500

const times = <T>(count: number, make: (number: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const old = (n: number) => ({ id: `old-${n}`, receivedAt: cutoff - hourMs + n })
const young = (n: number) => ({ id: `young-${n}`, receivedAt: cutoff + hourMs + n })
const refused = { status: 'refused', refusedFor: 'honeypot', email: null, deviceId: null } as const

function ask(box: AForgettingBox, of: { submissions?: number | null; events?: number | null } = {}) {
  const cutoffs = { submissions: cutoff, events: cutoff, refused: cutoff, ...of }
  const steps = mostOfAccount(box.connection, {
    accountRow: knownAccountRow(box.connection, 'account-a'),
    now: cutoff + 2 * hourMs,
    cutoffs,
    lookedThrough: new Map(),
  })
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

test('counts submissions, and what would be kept of them', async () => {
  await using box = new AForgettingBox()
  box.capture(...times(12, (n) => submission(old(n))), ...times(3, (n) => submission(young(n))))
  expect(ask(box)).toEqual({ class: 'submissions', due: 12, kept: 3, also: noRecords() })
  expect(ask(box, { submissions: null })).toBeNull()
})

test('counts events, page views and clicks as one class, thousands of them page by page', async () => {
  await using box = new AForgettingBox()
  box.capture(
    ...times(10, (n) => pageView(old(n))),
    ...times(10, (n) => click({ ...old(n), id: `click-${n}` })),
    ...times(9, (n) => trackedEvent(young(n))),
  )
  expect(ask(box)).toEqual({ class: 'events', due: 20, kept: 9, also: noRecords() })
  box.capture(...times(manyRows, (n) => trackedEvent({ ...young(n), id: `later-${n}` })))
  expect(ask(box)).toBeNull()
})

test('counts thousands of submissions that would stay', async () => {
  await using box = new AForgettingBox()
  box.capture(...times(manyRows, (n) => submission(old(n))), ...times(manyRows - 1, (n) => submission(young(n))))
  expect(ask(box)).toEqual({ class: 'submissions', due: manyRows, kept: manyRows - 1, also: noRecords() })
  box.capture(submission({ ...young(manyRows), id: 'one-more' }))
  expect(ask(box)).toBeNull()
})

test('counts refused submissions apart, and deletes nothing', async () => {
  await using box = new AForgettingBox()
  box.capture(...times(11, (n) => submission({ ...old(n), ...refused })), ...times(30, (n) => submission(young(n))))
  expect(ask(box)).toEqual({ class: 'refused', due: 11, kept: 0, also: noRecords() })
  expect(box.count('ledger')).toBe(41)
})

test('counts what else the same pass would delete', async () => {
  await using box = new AForgettingBox()
  box.capture(
    ...times(12, (n) => submission(old(n))),
    ...times(4, (n) => pageView({ ...old(n), id: `view-${n}` })),
    ...times(9, (n) => trackedEvent(young(n))),
  )
  expect(ask(box)).toEqual({ class: 'submissions', due: 12, kept: 0, also: { ...noRecords(), events: 4 } })
})
