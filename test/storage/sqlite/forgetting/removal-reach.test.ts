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
import { pageView, source } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const secondsApart = 60
const viewCount = 2000
const evening = Date.UTC(2026, 9, 20, 23)

/** A device that viewed something every minute, for more than a day around midnight. The pages of its records in between are gone. */
async function withHoles(remove: (connection: Connection, sequence: number) => void): Promise<number[]> {
  await using box = new AForgettingBox()
  const half = viewCount / 2
  const first = evening - half * secondsApart * 1000
  const views = Array.from({ length: viewCount }, (_, number) =>
    pageView({ id: `view-${number}`, receivedAt: first + number * secondsApart * 1000, source: browser }),
  )
  box.capture(...views)
  const sequences = box.rows<{ sequence: number }>('SELECT sequence FROM device_entry ORDER BY received_at')
  const pages = new DatabasePages(box.database.file)
  const leaves = pages.of('device_entry', 'leaf')
  expect(leaves.length).toBeGreaterThan(6)
  pages.fillWithGarbage(...leaves.slice(1, -2))
  const connection = openConnection(box.database.file)
  const last = sequences.at(-1)?.sequence ?? 0
  connection.db.transaction(() => remove(connection, last), { behavior: 'immediate' })
  const left = connection.raw.query<{ sequence: number }, []>('SELECT max(sequence) AS sequence FROM ledger').get()
  connection.raw.close()
  return [last, left?.sequence ?? 0]
}

test('retention reads no more of a device than the records around the one that it removes', async () => {
  const [removed, left] = await withHoles((connection, sequence) => {
    expect(new ExpiredRemoval(connection).remove([sequence], () => true)).toBe(1)
  })
  expect(left).toBe((removed ?? 0) - 1)
})

test('nor does an erasure', async () => {
  const [removed, left] = await withHoles((connection, sequence) => {
    const removal = new ErasedRemoval(connection, systemClock)
    const log = new LoggedErasure(connection, systemClock, { accountId: 'account-a', personId: null })
    expect(removal.remove([{ sequence, kind: 3 }], { counts: noCounts(), log })).toBe(1)
  })
  // The erasure has an entry of its own.
  expect(left).toBeGreaterThan(removed ?? 0)
})
