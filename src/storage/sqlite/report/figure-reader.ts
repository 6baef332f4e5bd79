import { and, count, desc, eq, exists, gte, isNull, lt, max, min, ne, not, type SQL, sql, sum } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Measure } from '../../../processing/figures/measures.ts'
import type { FigurePeriod, FigureReader, StoredFigures } from '../../../report/figures-reader.ts'
import { account } from '../account/account-schema.ts'
import { refusalCount } from '../capture/capture-schema.ts'
import type { Connection } from '../database/connection.ts'
import { dayFigure, submissionFact, visitorDay } from '../processing/fact-schema.ts'
import { device } from '../processing/schema.ts'

const msPerHour = 60 * 60 * 1000

/** A page is served even when its view cannot be stored: nothing was refused to anybody, and the disk is at fault. */
const isLostPageView = sql`(${refusalCount.endpoint} = 'page' AND ${refusalCount.check} = 'storage')`

/** Thousands of rows as one text, which takes half as long as to have them handed over one by one. */
const asJson = (row: SQL): SQL<string> => sql<string>`json_group_array(json_object(${row}))`

const rowsOf = <Row>(found: { json: string } | undefined): Row[] => JSON.parse(found?.json ?? '[]') as Row[]

const nothingKept: StoredFigures = {
  byDay: [],
  byName: [],
  byHour: [],
  refusals: [],
  visitors: 0,
  quarantined: 0,
  known: null,
}

const inDays = (day: SQLiteColumn, { fromDay, until }: FigurePeriod): SQL | undefined =>
  and(gte(day, fromDay), until === null ? undefined : lt(day, until.day))

/** An hour belongs to the day it begins on. */
const inHours = (hour: SQLiteColumn, { fromAt, until }: FigurePeriod): SQL | undefined =>
  and(gte(hour, Math.ceil(fromAt / msPerHour)), until === null ? undefined : lt(hour, Math.ceil(until.at / msPerHour)))

/** The roll-ups in SQLite, through a connection that never waits for the writer. */
export class SqliteFigureReader implements FigureReader {
  constructor(private readonly reader: Connection) {}

  async read(accountId: string, period: FigurePeriod): Promise<StoredFigures> {
    return this.reader.db.transaction(() => {
      const accountRow = this.accountRow(accountId)
      return accountRow === null ? nothingKept : this.readAll(accountRow, period)
    })
  }

  private readAll(accountRow: number, period: FigurePeriod): StoredFigures {
    return {
      byDay: this.byDay(accountRow, period),
      byName: this.byName(accountRow, period),
      byHour: this.byHour(accountRow, period),
      refusals: this.refusals(accountRow, period),
      visitors: period.until === null ? this.visitorsSince(accountRow, period) : this.visitorsUntil(accountRow, period),
      quarantined: this.quarantined(accountRow, period),
      known: this.known(accountRow),
    }
  }

  private byDay(accountRow: number, period: FigurePeriod): StoredFigures['byDay'] {
    const { day, measure, count } = dayFigure
    const figures = this.reader.db
      .select({ day, measure, count: sum(count).as('total') })
      .from(dayFigure)
      .where(and(eq(dayFigure.accountRow, accountRow), inDays(day, period)))
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

  private byName(accountRow: number, period: FigurePeriod): StoredFigures['byName'] {
    const total = sum(dayFigure.count).mapWith(Number)
    return this.reader.db
      .select({ measure: sql<Measure>`${dayFigure.measure}`, name: dayFigure.name, count: total })
      .from(dayFigure)
      .where(and(eq(dayFigure.accountRow, accountRow), inDays(dayFigure.day, period)))
      .groupBy(dayFigure.measure, dayFigure.name)
      .having(ne(total, 0))
      .all()
  }

  private byHour(accountRow: number, period: FigurePeriod): StoredFigures['byHour'] {
    const { hour, count } = refusalCount
    const hours = this.reader.db
      .select({
        hour,
        refused: sql`coalesce(sum(${count}) FILTER (WHERE NOT ${isLostPageView}), 0)`.as('refused'),
        lostPageViews: sql`coalesce(sum(${count}) FILTER (WHERE ${isLostPageView}), 0)`.as('lost_page_views'),
      })
      .from(refusalCount)
      .where(and(eq(refusalCount.accountRow, accountRow), inHours(hour, period)))
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

  private refusals(accountRow: number, period: FigurePeriod): StoredFigures['refusals'] {
    const { hour, endpoint, check } = refusalCount
    const total = sum(refusalCount.count).mapWith(Number)
    return this.reader.db
      .select({ endpoint, check, count: total })
      .from(refusalCount)
      .where(and(eq(refusalCount.accountRow, accountRow), inHours(hour, period), not(isLostPageView)))
      .groupBy(endpoint, check)
      .orderBy(desc(total), endpoint, check)
      .all()
  }

  /** A device counts once, on the latest day that it viewed something on. */
  private visitorsSince(accountRow: number, period: FigurePeriod): number {
    const { day, measure, count } = dayFigure
    const found = this.reader.db
      .select({ count: sum(count).mapWith(Number) })
      .from(dayFigure)
      .where(and(eq(dayFigure.accountRow, accountRow), inDays(day, period), eq(measure, 'visitor_last')))
      .get()
    return found?.count ?? 0
  }

  private visitorsUntil(accountRow: number, period: FigurePeriod): number {
    const viewed = this.reader.db
      .select({ one: sql`1` })
      .from(visitorDay)
      .where(and(eq(visitorDay.deviceRow, device.row), inDays(visitorDay.day, period)))
    const found = this.reader.db
      .select({ count: count() })
      .from(device)
      .where(and(eq(device.accountRow, accountRow), exists(viewed)))
      .get()
    return found?.count ?? 0
  }

  private quarantined(accountRow: number, { fromAt, until }: FigurePeriod): number {
    const kept = this.reader.db
      .select({ count: count() })
      .from(submissionFact)
      .where(
        and(
          eq(submissionFact.accountRow, accountRow),
          eq(submissionFact.status, 'refused'),
          gte(submissionFact.receivedAt, fromAt),
          until === null ? undefined : lt(submissionFact.receivedAt, until.at),
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
