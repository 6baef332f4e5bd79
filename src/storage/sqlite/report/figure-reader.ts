import { eq } from 'drizzle-orm'
import type { Measure } from '../../../processing/figures/measures.ts'
import type { FigurePeriod, FigureReader, StoredFigures } from '../../../report/figures-reader.ts'
import { goalSince } from '../account/account-schema.ts'
import type { Connection } from '../database/connection.ts'
import { andThen } from '../lookup/many-keys.ts'
import { figuresOf, sumsOfDays } from './month-sums.ts'
import { type HoursOfAccount, refusalsWithin } from './refusals-within.ts'

const msPerHour = 60 * 60 * 1000

const nothingKept: StoredFigures = {
  byDay: [],
  byName: [],
  byHour: [],
  refusals: [],
  visitors: 0,
  quarantined: 0,
  goalsSince: [],
  goalsFirstDone: [],
  known: null,
}

/** `?1` to `?3` of the statements: the account, the first day or instant, and the one after the last. */
type Within = [accountRow: number, from: number, until: number]

/** The roll-ups in SQLite, on a connection that never waits for the writer. */
export class SqliteFigureReader implements FigureReader {
  constructor(private readonly reader: Connection) {}

  async read(accountId: string, period: FigurePeriod): Promise<StoredFigures> {
    const { raw, db } = this.reader
    return db.transaction(() => {
      const account = raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?').get(accountId)
      return account === null ? nothingKept : this.readAll(account.row, period)
    })
  }

  private readAll(accountRow: number, period: FigurePeriod): StoredFigures {
    const { fromDay, fromAt, until } = period
    const days: Within = [accountRow, fromDay, until?.day ?? Number.MAX_SAFE_INTEGER]
    // An hour belongs to the day it begins on.
    const hours: HoursOfAccount = [
      accountRow,
      firstHour(fromAt),
      until === null ? Number.MAX_SAFE_INTEGER : firstHour(until.at),
    ]
    const instants: Within = [accountRow, fromAt, until?.at ?? Number.MAX_SAFE_INTEGER]
    const figures = figuresOf(sumsOfDays(this.reader.raw, days))
    return {
      ...figures,
      ...refusalsWithin(this.reader, hours),
      visitors: this.visitors(figures.byName, period, days),
      quarantined: this.count(quarantinedQuery, instants),
      goalsSince: this.goalsSince(accountRow),
      known: this.known(accountRow),
    }
  }

  private count(query: string, within: Within): number {
    return this.reader.raw.query<{ count: number | null }, Within>(query).get(...within)?.count ?? 0
  }

  /** Up to now, a device counts once on the latest day that it viewed something on. */
  private visitors(byName: StoredFigures['byName'], { until }: FigurePeriod, days: Within): number {
    const countOf = (wanted: Measure) => byName.find(({ measure }) => measure === wanted)?.count ?? 0
    if (until === null) return countOf('visitor_last')
    return Math.max(0, countOf('visitor') - this.count(returnsWithinQuery, days))
  }

  private goalsSince(accountRow: number): StoredFigures['goalsSince'] {
    return this.reader.db
      .select({ key: goalSince.key, since: goalSince.since })
      .from(goalSince)
      .where(eq(goalSince.accountRow, accountRow))
      .all()
  }

  /** Two statements, so that each is looked up at its end of the index. */
  private known(accountRow: number): StoredFigures['known'] {
    const found = this.reader.raw
      .query<{ first: number | null; last: number | null }, [number]>(
        `SELECT (SELECT min(day) FROM day_figure WHERE account_row = ?1) AS first,
           (SELECT max(day) FROM day_figure WHERE account_row = ?1) AS last`,
      )
      .get(accountRow)
    return found === null || found.first === null || found.last === null
      ? null
      : { first: found.first, last: found.last }
  }
}

const firstHour = (at: number): number => Math.ceil(at / msPerHour)

/**
 * A device counts on the first of its days in the period: not on one that lies so many days after another within it. Looks into
 * each day, past all other figures.
 */
const returnsWithinQuery = `
  WITH RECURSIVE each(day) AS (
    SELECT max(?2, (SELECT min(day) FROM day_figure WHERE account_row = ?1))
    UNION ALL SELECT day + 1 FROM each WHERE day + 1 < ?3)
  SELECT sum(count) AS count FROM each ${andThen('day_figure')}
    ON account_row = ?1 AND day_figure.day = each.day AND measure = 'visitor_return'
  WHERE CAST(name AS INTEGER) <= each.day - ?2`

const quarantinedQuery = `
  SELECT count(*) AS count FROM submission_fact
  WHERE account_row = ?1 AND status = 'refused' AND received_at >= ?2 AND received_at < ?3 AND released_at IS NULL`
