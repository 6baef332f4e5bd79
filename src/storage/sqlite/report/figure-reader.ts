import { eq } from 'drizzle-orm'
import type { Measure } from '../../../processing/figures/measures.ts'
import type { FigurePeriod, FigureReader, StoredFigures } from '../../../report/figures-reader.ts'
import type { Connection } from '../database/connection.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { msPerQuarterHour } from '../processing/quarantine-counts.ts'
import { goalSince } from '../schema/account-schema.ts'
import { figuresOf, type MonthSums, returnsSince, sumsOfDays } from './month-sums.ts'
import { refusalsWithin } from './refusals-within.ts'

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

/** The roll-ups in SQLite, on a connection that never waits for the writer. */
export class SqliteFigureReader implements FigureReader {
  constructor(private readonly reader: Connection) {}

  async read(accountId: string, period: FigurePeriod): Promise<StoredFigures> {
    return this.reader.db.transaction(() => {
      const accountRow = storedAccountRow(this.reader, accountId)
      return accountRow === null ? nothingKept : this.readAll(accountRow, period)
    })
  }

  private readAll(accountRow: number, period: FigurePeriod): StoredFigures {
    const { fromDay, fromAt, until } = period
    const sums = sumsOfDays(this.reader.raw, [accountRow, fromDay, until?.day ?? Number.MAX_SAFE_INTEGER])
    // What is counted by the hour belongs to the day its hour begins on.
    const within = (unitMs: number): [accountRow: number, from: number, until: number] => [
      accountRow,
      Math.ceil(fromAt / unitMs),
      until === null ? Number.MAX_SAFE_INTEGER : Math.ceil(until.at / unitMs),
    ]
    const figures = figuresOf(sums)
    return {
      ...figures,
      ...refusalsWithin(this.reader, within(msPerHour)),
      visitors: visitorsOf(figures.byName, period, sums),
      quarantined: this.quarantined(within(msPerQuarterHour)),
      goalsSince: this.goalsSince(accountRow),
      known: this.known(accountRow),
    }
  }

  private quarantined(quarterHours: [accountRow: number, from: number, until: number]): number {
    const { raw } = this.reader
    return raw.query<{ count: number }, typeof quarterHours>(quarantinedQuery).get(...quarterHours)?.count ?? 0
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

/**
 * Up to now, a device counts once, on the latest day that it viewed something on; in a period that has an end, on the first of its days
 * there.
 */
function visitorsOf(
  byName: StoredFigures['byName'],
  { fromDay, until }: FigurePeriod,
  sums: readonly MonthSums[],
): number {
  const countOf = (wanted: Measure) => byName.find(({ measure }) => measure === wanted)?.count ?? 0
  if (until === null) return countOf('visitor_last')
  return Math.max(0, countOf('visitor') - returnsSince(fromDay, sums))
}

const quarantinedQuery = `
  SELECT total(count) AS count FROM quarantine_count
  WHERE account_row = ?1 AND quarter_hour >= ?2 AND quarter_hour < ?3`
