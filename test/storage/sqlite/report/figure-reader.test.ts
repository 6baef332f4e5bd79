import { expect, test } from 'bun:test'
import type { FigurePeriod } from '../../../../src/report/figures-reader.ts'
import type { Connection } from '../../../../src/storage/sqlite/database/connection.ts'
import { SqliteFigureReader } from '../../../../src/storage/sqlite/report/figure-reader.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const msPerHour = 3_600_000
const day = 20_000
const startHour = day * 24

function add(connection: Connection, account: string, table: 'day_figure' | 'refusal_count', values: unknown[]): void {
  const places = values.map(() => '?').join(', ')
  connection.raw.run(`INSERT INTO ${table} SELECT row, ${places} FROM account WHERE id = ?`, [
    ...values,
    account,
  ] as never)
}

function withAccounts(): { database: TemporaryDatabase; connection: Connection; reader: SqliteFigureReader } {
  const database = new TemporaryDatabase()
  for (const id of ['account-a', 'account-b']) database.addAccount(id)
  return { database, connection: database.connect(), reader: new SqliteFigureReader(database.reader()) }
}

const read = (reader: SqliteFigureReader, period: Partial<FigurePeriod> = {}) =>
  reader.read('account-a', { fromDay: day, fromAt: startHour * msPerHour, until: null, ...period })

test('figures are read from the day on, added up over names and over days, without zeros', async () => {
  const { database, connection, reader } = withAccounts()
  await using _ = database
  add(connection, 'account-a', 'day_figure', [day - 1, 'view', '', 100])
  add(connection, 'account-a', 'day_figure', [day, 'lead', 'contact1', 2])
  add(connection, 'account-a', 'day_figure', [day, 'lead', 'signup01', 3])
  add(connection, 'account-a', 'day_figure', [day + 1, 'lead', 'contact1', 4])
  add(connection, 'account-a', 'day_figure', [day + 1, 'visitor_last', '', 0])
  add(connection, 'account-b', 'day_figure', [day, 'lead', 'contact1', 1000])
  const { byDay, byName, known } = await read(reader)
  expect(byDay).toEqual([
    { day, measure: 'lead', count: 5 },
    { day: day + 1, measure: 'lead', count: 4 },
  ])
  expect(byName).toEqual([
    { measure: 'lead', name: 'contact1', count: 6 },
    { measure: 'lead', name: 'signup01', count: 3 },
  ])
  expect(known).toEqual({ first: day - 1, last: day + 1 })
})

test('refusals are read of the hours that begin on the day or later, lost page views apart', async () => {
  const { database, connection, reader } = withAccounts()
  await using _ = database
  add(connection, 'account-a', 'refusal_count', [startHour, 'form', 'origin', 'https://a.example', 1])
  add(connection, 'account-a', 'refusal_count', [startHour + 1, 'form', 'origin', 'https://a.example', 2])
  add(connection, 'account-a', 'refusal_count', [startHour + 1, 'form', 'origin', '*', 3])
  add(connection, 'account-a', 'refusal_count', [startHour + 2, 'event', 'storage', '', 6])
  add(connection, 'account-a', 'refusal_count', [startHour + 2, 'page', 'storage', '', 7])
  add(connection, 'account-b', 'refusal_count', [startHour + 2, 'form', 'origin', '', 1000])
  // The day begins half an hour after an hour has.
  const { byHour, refusals } = await read(reader, { fromDay: day, fromAt: (startHour + 0.5) * msPerHour })
  expect(byHour).toEqual([
    { hour: startHour + 1, refused: 5, lostPageViews: 0 },
    { hour: startHour + 2, refused: 6, lostPageViews: 7 },
  ])
  expect(refusals).toEqual([
    { endpoint: 'event', check: 'storage', count: 6 },
    { endpoint: 'form', check: 'origin', count: 5 },
  ])
})

test('of an account that is not there, or has nothing, there is nothing', async () => {
  const { database, reader } = withAccounts()
  await using _ = database
  const nothing = {
    byDay: [],
    byName: [],
    byHour: [],
    refusals: [],
    missing: [],
    visitors: 0,
    quarantined: 0,
    goalsSince: [],
    goalsFirstDone: [],
    known: null,
  }
  expect(await read(reader)).toEqual(nothing)
  expect(await reader.read('nobody', { fromDay: 0, fromAt: 0, until: null })).toEqual(nothing)
})

test('of a period with an end there is nothing from its end on, and each visitor counts once', async () => {
  const { database, connection, reader } = withAccounts()
  await using _ = database
  const until = { day: day + 2, at: (startHour + 48) * msPerHour }
  for (const on of [day, day + 1, day + 2]) {
    add(connection, 'account-a', 'day_figure', [on, 'lead', 'contact1', 1])
    add(connection, 'account-a', 'refusal_count', [on * 24, 'form', 'origin', '', 1])
  }
  const ads = (on: number) => `[${on},"ads","cpc",null,"/","phone"]`
  // Two are still away since then; one came back within the period, one from before it, and behind it one by an advert and one by mail.
  const figures: [number, string, string, number][] = [
    [day, 'visitor_last', '', 1],
    [day, 'visitor_source', 'mail', 1],
    [day + 1, 'visitor_last', '', 1],
    [day + 1, 'visitor_source', 'ads', 1],
    [day + 1, 'visitor_return', ads(day), 1],
    [day + 2, 'visitor_return', ads(day - 1), 1],
    [day + 2, 'visitor_return', ads(day + 1), 1],
    [day + 9, 'visitor_return', `[${day},"mail","email",null,"/","phone"]`, 1],
  ]
  for (const figure of figures) add(connection, 'account-a', 'day_figure', figure)
  add(connection, 'account-b', 'day_figure', [day + 2, 'visitor_return', ads(day), 1])
  const { byDay, byName, byHour, refusals, visitors } = await read(reader, { until })
  const leads = byDay.filter(({ measure }) => measure === 'lead')
  expect(leads.map(({ day }) => day)).toEqual([day, day + 1])
  expect(byName).toContainEqual({ measure: 'lead', name: 'contact1', count: 2 })
  expect(byHour.map(({ hour }) => hour)).toEqual([startHour, startHour + 24])
  expect(refusals).toEqual([{ endpoint: 'form', check: 'origin', count: 2 }])
  expect(visitors).toBe(4)
  const sources = byName.filter(({ measure }) => measure === 'visitor_source').map(({ name, count }) => [name, count])
  expect(sources).toEqual([
    ['mail', 2],
    ['ads', 2],
  ])
})

test('who came back since counts in a period that begins before 1997, and not in one that ends then', async () => {
  const { database, connection, reader } = withAccounts()
  await using _ = database
  add(connection, 'account-a', 'day_figure', [day + 2, 'visitor_return', `[${day}]`, 1])
  const visitorsOf = async (fromDay: number, until: number) =>
    (await read(reader, { fromDay, fromAt: 0, until: { day: until, at: until * 24 * msPerHour } })).visitors
  expect(await visitorsOf(7305, day + 1)).toBe(1)
  expect(await visitorsOf(100, 7305)).toBe(0)
})

test('visitors up to now are those whose latest view was in the period', async () => {
  const { database, connection, reader } = withAccounts()
  await using _ = database
  for (const on of [day - 1, day, day + 1]) add(connection, 'account-a', 'day_figure', [on, 'visitor_last', '', 2])
  expect((await read(reader)).visitors).toBe(4)
})
