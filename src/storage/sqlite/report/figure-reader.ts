import { eq } from 'drizzle-orm'
import type { Measure } from '../../../processing/figures/measures.ts'
import { hourlyMeasures } from '../../../report/figures.ts'
import type { FigurePeriod, FigureReader, StoredFigures } from '../../../report/figures-reader.ts'
import { missingShownMax } from '../../../report/missing.ts'
import type { Connection } from '../database/connection.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { msPerQuarterHour } from '../processing/quarantine.ts'
import { goalSince } from '../schema/account-schema.ts'
import { type DaysOfAccount, missingWithin } from './missing-counts.ts'
import { figuresOf, returnsSince, sumsOfDays } from './month-sums.ts'

const msPerHour = 60 * 60 * 1000

const nothingKept: StoredFigures = {
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

export class SqliteFigureReader implements FigureReader {
  constructor(private readonly reader: Connection) {}

  async read(accountId: string, period: FigurePeriod): Promise<StoredFigures> {
    return this.reader.db.transaction(() => {
      const accountRow = storedAccountRow(this.reader, accountId)
      return accountRow === null ? nothingKept : this.readAll(accountRow, period)
    })
  }

  async hours(accountId: string, day: number): ReturnType<FigureReader['hours']> {
    const accountRow = storedAccountRow(this.reader, accountId)
    if (accountRow === null) return []
    return this.reader.raw.query<HourFigure, [number, number]>(hoursQuery).all(accountRow, day)
  }

  private readAll(accountRow: number, period: FigurePeriod): StoredFigures {
    const { fromDay, fromAt, until } = period
    const days: DaysOfAccount = [accountRow, fromDay, until?.day ?? Number.MAX_SAFE_INTEGER]
    // What is counted by the hour belongs to the day its hour begins on.
    const within = (unitMs: number): [accountRow: number, from: number, until: number] => [
      accountRow,
      Math.ceil(fromAt / unitMs),
      until === null ? Number.MAX_SAFE_INTEGER : Math.ceil(until.at / unitMs),
    ]
    const { raw } = this.reader
    const figures = figuresOf([...sumsOfDays(raw, days), ...(until === null ? [] : [returnsSince(raw, days)])])
    return {
      ...figures,
      ...refusalsWithin(this.reader, within(msPerHour)),
      missing: missingWithin(this.reader, days, missingShownMax),
      visitors: figures.byName.find(({ measure }) => measure === 'visitor_last')?.count ?? 0,
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

interface HourFigure {
  measure: Measure
  hour: number
  count: number
}

const hoursQuery = `
  SELECT measure, CAST(name AS INTEGER) AS hour, count FROM day_figure
  WHERE account_row = ? AND day = ? AND measure IN (${hourlyMeasures.map((measure) => `'${measure}'`).join()}) AND count > 0`

const quarantinedQuery = `
  SELECT total(count) AS count FROM quarantine_count
  WHERE account_row = ?1 AND quarter_hour >= ?2 AND quarter_hour < ?3`

/** An account, and hours since the Unix epoch: the first one, and the one after the last. */
type HoursOfAccount = [accountRow: number, from: number, until: number]

type Row = [hour: number, endpoint: string, check: string, count: number]

/**
 * What was refused and lost in these hours, by the hour and by the check.
 *
 * Reads the rows once and adds them up here: SQLite would read them twice, and sort them for the checks.
 */
function refusalsWithin(
  { raw }: Pick<Connection, 'raw'>,
  hours: HoursOfAccount,
): Pick<StoredFigures, 'byHour' | 'refusals'> {
  const byHour = new Map<number, StoredFigures['byHour'][number]>()
  const byCheck = new Map<string, StoredFigures['refusals'][number]>()
  const rows = raw.query<unknown, HoursOfAccount>(rowsQuery).values(...hours) as Row[]
  for (const [hour, endpoint, check, count] of rows) {
    const ofHour = byHour.get(hour) ?? { hour, refused: 0, lostPageViews: 0 }
    byHour.set(hour, ofHour)
    if (isLostPageView(endpoint, check)) {
      ofHour.lostPageViews += count
      continue
    }
    ofHour.refused += count
    const name = `${endpoint} ${check}`
    const ofCheck = byCheck.get(name) ?? { endpoint, check, count: 0 }
    byCheck.set(name, ofCheck)
    ofCheck.count += count
  }
  return { byHour: [...byHour.values()], refusals: [...byCheck.values()].sort(mostFirst) }
}

/** A page is served even if its view cannot be stored: nobody was refused, and the disk is at fault. */
const isLostPageView = (endpoint: string, check: string): boolean => endpoint === 'page' && check === 'storage'

type Refused = StoredFigures['refusals'][number]

const mostFirst = (one: Refused, other: Refused): number =>
  other.count - one.count || compare(one.endpoint, other.endpoint) || compare(one.check, other.check)

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const rowsQuery = `
  SELECT hour, endpoint, "check", count FROM refusal_count
  WHERE account_row = ?1 AND hour >= ?2 AND hour < ?3
  ORDER BY hour`
