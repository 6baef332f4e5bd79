// Roll-ups are what a count over the ledger gives (docs/reports.md), however processing was cut into steps.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { dateOfDay, localDay, startOfDay } from '../../../src/lib/local-day.ts'
import type { DailyFigures, FiguresReport } from '../../../src/report/figures.ts'
import { figuresReport } from '../../../src/report/figures-report.ts'
import type { Connection } from '../../../src/storage/sqlite/database/connection.ts'
import { SqliteFigureReader } from '../../../src/storage/sqlite/report/figure-reader.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/steps/step.ts'
import { storeEntries } from '../../storage/sqlite/stored-entries.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'
import { type Counts, modelledChannels } from './channels-model.ts'
import { happenings, ledgerOf } from './ledger-of-hits.ts'
import { type Counted, datesIn, nothingCounted, pagesSince, recount, visitorsSince } from './recount.ts'

/** More than half a day apart; one changes to winter time within the time that is told of. */
const timezones = ['Pacific/Auckland', 'America/St_Johns'] as const

test('the report equals a recount of the ledger, for each account by its own days, whatever the steps', async () => {
  await using database = new TemporaryDatabase()
  const connection = database.connect()
  let run = 0
  const property = fc.asyncProperty(
    happenings,
    fc.array(fc.boolean(), { maxLength: 8 }),
    fc.integer({ min: -1, max: 4 }),
    async (told, cuts, daysLater) => {
      run++
      const accounts = timezones.map((timezone) => addAccount(database, { id: `${timezone} ${run}`, timezone }))
      const entries = ledgerOf(
        told,
        accounts.map(({ id }) => id),
      )
      storeEntries(database.file, entries)
      inSteps(connection, cuts)
      for (const account of accounts) {
        const own = entries.filter(({ accountId }) => accountId === account.id)
        await expectRecounted(connection, { ...account, own, daysLater })
      }
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

interface Account {
  id: string
  timezone: string
}

function addAccount(database: TemporaryDatabase, account: Account): Account {
  database.addAccount(account.id, account.timezone)
  return account
}

async function expectRecounted(
  connection: Connection,
  { id, timezone, own, daysLater }: Account & { own: Entry[]; daysLater: number },
): Promise<void> {
  const fromDay = localDay(Date.UTC(2026, 9, 24), timezone) + daysLater
  const from = dateOfDay(fromDay)
  const report = await reportOf(connection, { id, timezone, fromDay })
  const expected = [...recount(own, timezone)].filter(([date, day]) => date >= from && !isNothing(day))
  expect(countedOf(report)).toEqual(new Map(expected))
  expect(report.totals.visitors).toBe(visitorsSince(from, own, timezone))
  for (const days of [1, 2, 3, 5]) {
    const past = await reportOf(connection, { id, timezone, fromDay }, fromDay + days)
    const until = dateOfDay(fromDay + days)
    expect([days, past.totals.visitors]).toEqual([days, visitorsSince(from, own, timezone, until)])
    expectChannels(
      past,
      modelledChannels(own, datesIn(timezone), (date) => date >= from && date < until),
    )
  }
  expect(Object.fromEntries(report.pages.map(({ slug, views }) => [slug, views]))).toEqual(
    pagesSince(from, own, timezone),
  )
  expectSplitsToAddUp(report)
  expectChannels(
    report,
    modelledChannels(own, datesIn(timezone), (date) => date >= from),
  )
}

/** One entry at a time where the cuts say so, now and then by somebody who begins anew. */
function inSteps(connection: Connection, cuts: readonly boolean[]): void {
  let steps = new ProcessingSteps(connection, systemClock)
  for (const isAnew of cuts) {
    if (isAnew) steps = new ProcessingSteps(connection, systemClock)
    steps.run(0)
  }
  while (steps.run(1000) === 'more');
}

async function reportOf(
  connection: Connection,
  { id, timezone, fromDay }: Account & { fromDay: number },
  untilDay: number | null = null,
): Promise<FiguresReport> {
  const stored = await new SqliteFigureReader(connection).read(id, {
    fromDay,
    fromAt: startOfDay(fromDay, timezone),
    until: untilDay === null ? null : { day: untilDay, at: startOfDay(untilDay, timezone) },
  })
  return figuresReport(
    stored,
    { fromDay, toDay: untilDay === null ? fromDay + 10 : untilDay - 1, timezone },
    { goals: [], funnels: [], splits: [], forms: [] },
  )
}

/** The days on which anything was counted. */
const countedOf = ({ days }: FiguresReport): Map<string, Counted> =>
  new Map(days.map((day) => [day.date, asCounted(day)] as const).filter(([, day]) => !isNothing(day)))

const asCounted = ({ clicks, ...day }: DailyFigures): Counted => {
  const { visits, visitors, views, viewsByBots, events, eventsByBots, leads } = day
  const all = clicks.human + clicks.suspected + clicks.machine
  return { visits, visitors, views, viewsByBots, events, eventsByBots, leads, clicks: all }
}

const isNothing = (day: Counted): boolean => Bun.deepEquals(day, nothingCounted)

function expectChannels({ channels }: FiguresReport, expected: Counts): void {
  const found = Object.entries(channels).map(([table, rows]) => [
    table,
    Object.fromEntries(rows.map(({ name, visits, visitors, leads }) => [name, { visits, visitors, leads }])),
  ])
  expect(Object.fromEntries(found)).toEqual(expected)
}

function expectSplitsToAddUp({ totals, forms, sources, channels, messages }: FiguresReport): void {
  const sum = <T>(rows: readonly T[], figure: (row: T) => number) => rows.reduce((sum, row) => sum + figure(row), 0)
  expect(sum(forms, ({ leads }) => leads)).toBe(totals.leads)
  expect(sum(sources, ({ leads }) => leads)).toBe(totals.leads)
  for (const rows of Object.values(channels)) {
    expect(sum(rows, ({ visits }) => visits)).toBe(totals.visits)
    expect(sum(rows, ({ leads }) => leads)).toBe(totals.leads)
    expect(sum(rows, ({ visitors }) => visitors ?? 0)).toBe(totals.visitors ?? 0)
  }
  expect(sum(messages, ({ human }) => human)).toBe(totals.clicks.human)
  expect(sum(messages, ({ suspected }) => suspected)).toBe(totals.clicks.suspected)
  expect(sum(messages, ({ machine }) => machine)).toBe(totals.clicks.machine)
}
