// docs/reports.md, "What works": counting is exact under erasure, retention, replay and a move to another box.
import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { figuresReport } from '../../../src/report/figures-report.ts'
import { type Connection, openConnection } from '../../../src/storage/sqlite/database/connection.ts'
import { openArrival } from '../../../src/storage/sqlite/moving/account-arrival.ts'
import { copyAccount } from '../../../src/storage/sqlite/moving/account-extract.ts'
import { SqliteFigureReader } from '../../../src/storage/sqlite/report/figure-reader.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/steps/step.ts'
import { processAll, replayLedger } from '../../harness/replayed-ledger.ts'
import { AForgettingBox } from '../../storage/sqlite/a-forgetting-box.ts'
import { ownersOf } from '../../storage/sqlite/owners.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'
import { type Counts, modelledChannels } from './channels-model.ts'
import { happenings, ledgerOf, people } from './ledger-of-hits.ts'
import { datesIn } from './recount.ts'

const accountId = 'account-a'
const dayOf = (date: string): number => Date.parse(date) / 86_400_000
const first = dayOf('2026-10-24')

/** Days, the last not included; `null`: up to now. */
type Period = readonly [from: number, until: number | null]
/** Up to now, of some days in the middle, and of two days. */
const periods: readonly Period[] = [
  [first, null],
  [first + 2, first + 12],
  [first + 1, first + 3],
]

const modelled = (entries: readonly Entry[]): Counts[] =>
  periods.map(([from, until]) =>
    modelledChannels(entries, datesIn('UTC'), (date) => dayOf(date) >= from && dayOf(date) < (until ?? first + 1000)),
  )

const reported = (connection: Connection): Promise<Counts[]> =>
  Promise.all(periods.map((period) => reportedOf(period, connection)))

async function reportedOf([fromDay, until]: Period, connection: Connection): Promise<Counts> {
  const msPerDay = 86_400_000
  const stored = await new SqliteFigureReader(connection).read(accountId, {
    fromDay,
    fromAt: fromDay * msPerDay,
    until: until === null ? null : { day: until, at: until * msPerDay },
  })
  const period = { fromDay, toDay: (until ?? fromDay + 100) - 1, timezone: 'UTC' }
  const { channels, totals } = figuresReport(stored, period, { goals: [], funnels: [], splits: [], forms: [] })
  const tables = Object.entries(channels).map(([table, rows]) => {
    expect(rows.reduce((sum, { visitors }) => sum + visitors, 0)).toBe(totals.visitors)
    const named = rows.map(({ name, visits, visitors, leads }) => [name, { visits, visitors, leads }])
    return [table, Object.fromEntries(named)]
  })
  return Object.fromEntries(tables)
}

async function replayed(database: TemporaryDatabase): Promise<Counts[]> {
  const file = join(database.dir, 'replayed', 'capture.db')
  replayLedger(database.file, file)
  processAll(file, 10)
  const connection = openConnection(file)
  try {
    return await reported(connection)
  } finally {
    connection.raw.close()
  }
}

async function moved(database: TemporaryDatabase): Promise<Counts[]> {
  const folder = join(database.dir, 'moved')
  mkdirSync(folder)
  // No account's id is the handle of one.
  database.connect().raw.run(`UPDATE account SET handle = 'acme' WHERE id = '${accountId}'`)
  copyAccount(join(folder, 'capture.db'), { database: database.file, accountId, since: null, now: 0 }).close()
  await using other = new TemporaryDatabase()
  const arrival = openArrival(other.file, folder, systemClock)
  const steps = new ProcessingSteps(other.connect(), systemClock)
  await arrival.takeIn(async () => steps.run(1000))
  arrival.close()
  return reported(other.connect())
}

test('channels are those of the records that are left, also once these have expired, are replayed or have moved', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, fc.constantFrom(...people), fc.nat(), async (told, erased, cut) => {
      await using box = new AForgettingBox()
      const entries = ledgerOf(told, [accountId, 'account-b'])
      const own = entries.filter((entry) => entry.accountId === accountId)
      box.capture(...entries)
      expect(await reported(box.connection)).toEqual(modelled(own))

      const ownerOf = ownersOf(own)
      const left = modelled(own.filter((entry) => ownerOf(entry) !== erased))
      await box.erase(erased)
      expect(await reported(box.connection)).toEqual(left)
      expect(await replayed(box.database)).toEqual(left)
      box.expire(entries[cut % entries.length]?.receivedAt ?? 0)
      expect(await reported(box.connection)).toEqual(left)
      expect(await moved(box.database)).toEqual(left)
    }),
    { numRuns: 8, endOnFailure: true },
  )
})
