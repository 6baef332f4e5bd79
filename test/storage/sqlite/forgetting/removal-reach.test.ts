// A step of forgetting takes milliseconds however much a device has recorded: a removal reads no record but the next ones. A page
// that cannot be read shows whoever comes by.
import { expect, test } from 'bun:test'
import { systemClock } from '../../../../src/lib/clock.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { ErasedRemoval } from '../../../../src/storage/sqlite/forgetting/erased-removal.ts'
import { noCounts } from '../../../../src/storage/sqlite/forgetting/erasure.ts'
import { LoggedErasure } from '../../../../src/storage/sqlite/forgetting/erasure-log.ts'
import { ExpiredRemoval } from '../../../../src/storage/sqlite/forgetting/expired-removal.ts'
import { DatabasePages } from '../../../harness/damaged-pages.ts'
import { pageView, source, submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const secondsApart = 60
const viewCount = 2000
const evening = Date.UTC(2026, 9, 20, 23)

const sentAt = (number: number) => evening + (number - viewCount / 2) * secondsApart * 1000

/** Removes the record that was committed last, from a box that has lost all pages of a table but the first and the last ones. */
async function withHoles(
  box: AForgettingBox,
  table: string,
  remove: (connection: Connection, sequence: number) => void,
): Promise<number[]> {
  const last = box.rows<{ sequence: number }>('SELECT max(sequence) AS sequence FROM ledger')[0]?.sequence ?? 0
  const pages = new DatabasePages(box.database.file)
  const leaves = pages.of(table, 'leaf')
  expect(leaves.length).toBeGreaterThan(6)
  pages.fillWithGarbage(...leaves.slice(1, -2))
  const connection = openConnection(box.database.file)
  connection.db.transaction(() => remove(connection, last), { behavior: 'immediate' })
  const left = connection.raw.query<{ sequence: number }, []>('SELECT max(sequence) AS sequence FROM ledger').get()
  connection.raw.close()
  return [last, left?.sequence ?? 0]
}

/** A device that viewed something every minute, for more than a day around midnight. */
function viewing(): AForgettingBox {
  const box = new AForgettingBox()
  const view = (number: number) => pageView({ id: `view-${number}`, receivedAt: sentAt(number), source: browser })
  box.capture(...Array.from({ length: viewCount }, (_, number) => view(number)))
  return box
}

/** A device whose first view has expired and is committed once more; it has sent a lead every minute since. */
function sending(): AForgettingBox {
  const box = new AForgettingBox()
  const of = { source: browser, receivedAt: sentAt(0) }
  const lead = (number: number) =>
    submission({ id: `lead-${number}`, receivedAt: sentAt(number + 1), fields: { number } })
  box.capture(pageView({ id: 'view', ...of }), ...Array.from({ length: viewCount }, (_, number) => lead(number)))
  box.expire(sentAt(1))
  box.capture(pageView({ id: 'late-view', ...of }))
  return box
}

const erase = (connection: Connection, sequence: number) => {
  const removal = new ErasedRemoval(connection, systemClock)
  const log = new LoggedErasure(connection, systemClock, { accountId: 'account-a', personId: null, of: 'records' })
  expect(removal.remove([{ sequence, kind: 3 }], { counts: noCounts(), log })).toBe(1)
}

test('retention reads no more of a device than the records around the one that it removes', async () => {
  await using box = viewing()
  const [removed, left] = await withHoles(box, 'device_entry', (connection, sequence) => {
    expect(new ExpiredRemoval(connection).remove([sequence], () => true)).toBe(1)
  })
  expect(left).toBe((removed ?? 0) - 1)
})

test('nor does an erasure', async () => {
  await using box = viewing()
  const [removed, left] = await withHoles(box, 'device_entry', erase)
  // The erasure has an entry of its own.
  expect(left).toBeGreaterThan(removed ?? 0)
})

test('an erasure reads none of the thousands of submissions that a record had preceded before others expired', async () => {
  await using box = sending()
  const [removed, left] = await withHoles(box, 'submission_fact', erase)
  expect(left).toBeGreaterThan(removed ?? 0)
})
