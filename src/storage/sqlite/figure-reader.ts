import { and, count, desc, eq, gte, isNull, max, min, ne, not, type SQL, sql, sum } from 'drizzle-orm'
import type { Measure } from '../../processing/figures/measures.ts'
import type { FigureReader, StoredFigures } from '../../report/figures-reader.ts'
import type { Connection } from './connection.ts'
import { dayFigure, submissionFact } from './processing/fact-schema.ts'
import { account, refusalCount } from './schema.ts'

const msPerHour = 60 * 60 * 1000

/** A page is served even when its view cannot be stored: nothing was refused to anybody, and the disk is at fault. */
const isLostPageView = sql`(${refusalCount.endpoint} = 'page' AND ${refusalCount.check} = 'storage')`

/** Thousands of rows as one text, which takes half as long as to have them handed over one by one. */
const asJson = (row: SQL): SQL<string> => sql<string>`json_group_array(json_object(${row}))`

const rowsOf = <Row>(found: { json: string } | undefined): Row[] => JSON.parse(found?.json ?? '[]') as Row[]

const nothingKept: StoredFigures = { byDay: [], byName: [], byHour: [], refusals: [], quarantined: 0, known: null }

/** The roll-ups in SQLite, through a connection that never waits for the writer. */
export class SqliteFigureReader implements FigureReader {
  constructor(private readonly reader: Connection) {}

  async read(accountId: string, since: { fromDay: number; fromAt: number }): Promise<StoredFigures> {
    return this.reader.db.transaction(() => {
      const accountRow = this.accountRow(accountId)
      return accountRow === null ? nothingKept : this.readAll(accountRow, since)
    })
  }

  private readAll(accountRow: number, { fromDay, fromAt }: { fromDay: number; fromAt: number }): StoredFigures {
    const fromHour = Math.ceil(fromAt / msPerHour)
    return {
      byDay: this.byDay(accountRow, fromDay),
      byName: this.byName(accountRow, fromDay),
      byHour: this.byHour(accountRow, fromHour),
      refusals: this.refusals(accountRow, fromHour),
      quarantined: this.quarantined(accountRow, fromAt),
      known: this.known(accountRow),
    }
  }

  private byDay(accountRow: number, fromDay: number): StoredFigures['byDay'] {
    const { day, measure, count } = dayFigure
    const figures = this.reader.db
      .select({ day, measure, count: sum(count).as('total') })
      .from(dayFigure)
      .where(and(eq(dayFigure.accountRow, accountRow), gte(day, fromDay)))
      .groupBy(day, measure)
      .having(ne(sum(count), 0))
      .as('figures')
    const row = sql`'day', ${figures.day}, 'measure', ${figures.measure}, 'count', ${figures.count}`
    return rowsOf(
      this.reader.db
        .select({ json: asJson(row) })
        .from(figures)
        .get(),
    )
  }

  private byName(accountRow: number, fromDay: number): StoredFigures['byName'] {
    const total = sum(dayFigure.count).mapWith(Number)
    return this.reader.db
      .select({ measure: sql<Measure>`${dayFigure.measure}`, name: dayFigure.name, count: total })
      .from(dayFigure)
      .where(and(eq(dayFigure.accountRow, accountRow), gte(dayFigure.day, fromDay)))
      .groupBy(dayFigure.measure, dayFigure.name)
      .having(ne(total, 0))
      .all()
  }

  private byHour(accountRow: number, fromHour: number): StoredFigures['byHour'] {
    const { hour, count } = refusalCount
    const hours = this.reader.db
      .select({
        hour,
        refused: sql`coalesce(sum(${count}) FILTER (WHERE NOT ${isLostPageView}), 0)`.as('refused'),
        lostPageViews: sql`coalesce(sum(${count}) FILTER (WHERE ${isLostPageView}), 0)`.as('lost_page_views'),
      })
      .from(refusalCount)
      .where(and(eq(refusalCount.accountRow, accountRow), gte(hour, fromHour)))
      .groupBy(hour)
      .as('hours')
    const row = sql`'hour', ${hours.hour}, 'refused', ${hours.refused}, 'lostPageViews', ${hours.lostPageViews}`
    return rowsOf(
      this.reader.db
        .select({ json: asJson(row) })
        .from(hours)
        .get(),
    )
  }

  private refusals(accountRow: number, fromHour: number): StoredFigures['refusals'] {
    const { hour, endpoint, check } = refusalCount
    const total = sum(refusalCount.count).mapWith(Number)
    return this.reader.db
      .select({ endpoint, check, count: total })
      .from(refusalCount)
      .where(and(eq(refusalCount.accountRow, accountRow), gte(hour, fromHour), not(isLostPageView)))
      .groupBy(endpoint, check)
      .orderBy(desc(total), endpoint, check)
      .all()
  }

  private quarantined(accountRow: number, fromAt: number): number {
    const kept = this.reader.db
      .select({ count: count() })
      .from(submissionFact)
      .where(
        and(
          eq(submissionFact.accountRow, accountRow),
          eq(submissionFact.status, 'refused'),
          gte(submissionFact.receivedAt, fromAt),
          isNull(submissionFact.releasedAt),
        ),
      )
      .get()
    return kept?.count ?? 0
  }

  private known(accountRow: number): StoredFigures['known'] {
    // One at a time, each is looked up at its end of the index.
    const ofAccount = eq(dayFigure.accountRow, accountRow)
    const first = this.reader.db
      .select({ day: min(dayFigure.day) })
      .from(dayFigure)
      .where(ofAccount)
      .get()?.day
    const last = this.reader.db
      .select({ day: max(dayFigure.day) })
      .from(dayFigure)
      .where(ofAccount)
      .get()?.day
    return typeof first === 'number' && typeof last === 'number' ? { first, last } : null
  }

  private accountRow(accountId: string): number | null {
    const found = this.reader.db.select({ row: account.row }).from(account).where(eq(account.id, accountId)).get()
    return found?.row ?? null
  }
}
