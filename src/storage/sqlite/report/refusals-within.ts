import type { StoredFigures } from '../../../report/figures-reader.ts'
import type { Connection } from '../database/connection.ts'

/** An account, and hours since the Unix epoch: the first one, and the one after the last. */
export type HoursOfAccount = [accountRow: number, from: number, until: number]

type Row = [hour: number, endpoint: string, check: string, count: number]

/**
 * What was refused and lost in these hours, by the hour and by the check.
 *
 * Reads the rows once and adds them up here: SQLite would read them twice, and sort them for the checks.
 */
export function refusalsWithin(
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
