// Long reports read months that were added up: they say the same as the days do.
import { describe, expect, test } from 'bun:test'
import { startOfMonth, startOfMonthAfter } from '../../../../src/lib/calendar.ts'
import { Figures } from '../../../../src/processing/figures/figures.ts'
import { SqliteFoldStore } from '../../../../src/storage/sqlite/processing/fold-store.ts'
import { SqliteFigureReader } from '../../../../src/storage/sqlite/report/figure-reader.ts'
import { BackgroundProcessing } from '../../../../src/storage/sqlite/steps/background-processing.ts'
import { waitingMonthQuery } from '../../../../src/storage/sqlite/steps/month-figures.ts'
import { pageView, submission } from '../../../report/sample-entries.ts'
import { storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const dayMs = 86_400_000
const today = Math.floor(Date.UTC(2026, 10, 20) / dayMs)
const clock = { now: () => today * dayMs, monotonicMs: () => performance.now() }
const monthsAgo = (months: number): number => startOfMonthAfter(today, -months)

type AddedFigure = Parameters<Figures['add']>[1]

class FilledBox implements AsyncDisposable {
  readonly database = new TemporaryDatabase()
  readonly connection = this.database.connect()
  readonly service = new BackgroundProcessing(this.database.file, clock, () => {})
  private readonly reader = new SqliteFigureReader(this.database.reader())

  constructor() {
    for (const id of ['account-a', 'account-b']) this.database.addAccount(id)
    const figures: [account: string, figure: AddedFigure][] = []
    for (let day = monthsAgo(6) + 9; day <= today; day++) {
      for (const [measure, name, count] of [
        ['view', '', 100 + (day % 7)],
        ['lead', day % 2 === 0 ? 'contact1' : 'second11', 1 + (day % 3)],
        ['visitor', '', 50],
        ['visitor_last', '', 20],
        ['visitor_return', `[${day - 3}]`, 4],
        ['visitor_return', `[${day - 45},"ads","cpc",null,"/","phone"]`, 2],
        ['goal', day % 11 === 0 ? 'rare' : 'frequent', 1],
      ] as const)
        for (const account of [1, 2]) figures.push([String(account), { day, measure, name, count: count * account }])
    }
    this.add(figures)
  }

  add(added: readonly (readonly [account: string, figure: AddedFigure])[]): void {
    const { load, figures } = new SqliteFoldStore(this.connection, Number)
    const changes = new Figures(load)
    for (const [account, figure] of added) changes.add(account, figure)
    figures.keep(changes)
  }

  /** Until nothing is left to do, which a service looks for again and again. */
  rest(): void {
    let doneInARow = 0
    for (let step = 0; doneInARow < 2; step++) {
      doneInARow = this.service.run(10) === 'more' ? 0 : doneInARow + 1
      if (step > 1000) throw new Error('it never ends')
    }
  }

  read(fromDay: number, untilDay: number | null) {
    const until = untilDay === null ? null : { day: untilDay, at: untilDay * dayMs }
    return this.reader.read('account-a', { fromDay, fromAt: fromDay * dayMs, until })
  }

  summed(): number[] {
    return this.connection.raw
      .query<{ day: number }, []>(
        'SELECT first_day AS day FROM month_figure WHERE account_row = 1 AND sums IS NOT NULL ORDER BY first_day',
      )
      .all()
      .map(({ day }) => day)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.service.close()
    await this.database[Symbol.asyncDispose]()
  }
}

const periods: [string, number, number | null][] = [
  ['from the first figure up to now', 0, null],
  ['of whole months', monthsAgo(4), monthsAgo(1)],
  ['that begins and ends within months', monthsAgo(5) + 12, monthsAgo(1) + 3],
  ['within one month', monthsAgo(2) + 3, monthsAgo(2) + 9],
  ['that ends today', monthsAgo(3) + 1, today + 1],
]

describe('figures of months that were added up', () => {
  test('are those of their days, in every period', async () => {
    await using box = new FilledBox()
    const plain = await Promise.all(periods.map(([, from, until]) => box.read(from, until)))
    box.rest()
    expect(box.summed()).toEqual([6, 5, 4, 3, 2, 1].map(monthsAgo))
    const summed = await Promise.all(periods.map(([, from, until]) => box.read(from, until)))
    const sorted = (figures: Awaited<ReturnType<FilledBox['read']>>) => ({
      ...figures,
      byName: figures.byName.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
      goalsFirstDone: figures.goalsFirstDone.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    })
    for (const [index, [period]] of periods.entries())
      expect([period, sorted(summed[index] as never)]).toEqual([period, sorted(plain[index] as never)])
    expect(plain[0]?.byDay.length).toBeGreaterThan(150)
  })

  test('follow a day that an erasure changes, at once and after they were added up again', async () => {
    await using box = new FilledBox()
    box.rest()
    const before = await box.read(monthsAgo(4), monthsAgo(1))
    box.add([['1', { day: monthsAgo(3) + 5, measure: 'view', name: '', count: -30 }]])
    expect(box.summed()).not.toContain(monthsAgo(3))
    const viewsOf = ({ byName }: typeof before) => byName.find(({ measure }) => measure === 'view')?.count ?? 0
    expect(viewsOf(await box.read(monthsAgo(4), monthsAgo(1)))).toBe(viewsOf(before) - 30)
    box.rest()
    expect(box.summed()).toContain(monthsAgo(3))
    expect(viewsOf(await box.read(monthsAgo(4), monthsAgo(1)))).toBe(viewsOf(before) - 30)
  })

  test('follow records of an earlier month that are processed late', async () => {
    await using box = new FilledBox()
    box.rest()
    const receivedAt = (monthsAgo(2) + 4) * dayMs
    storeEntries(box.database.file, [pageView({ receivedAt }), submission({ receivedAt })])
    const before = await box.read(monthsAgo(2), monthsAgo(1))
    box.rest()
    const after = await box.read(monthsAgo(2), monthsAgo(1))
    expect(after.byName).not.toEqual(before.byName)
    expect(box.summed()).toContain(monthsAgo(2))
  })

  test('are not kept of the present month', async () => {
    await using box = new FilledBox()
    box.rest()
    expect(box.summed()).not.toContain(startOfMonth(today))
  })
})

test('a month that waits is found without reading those that were added up', async () => {
  await using database = new TemporaryDatabase()
  const { raw } = database.connect()
  const plan = raw.query<{ detail: string }, [number]>(`EXPLAIN QUERY PLAN ${waitingMonthQuery}`).all(today)
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH month_figure USING INDEX month_figure_waiting (first_day<?)',
  ])
})
