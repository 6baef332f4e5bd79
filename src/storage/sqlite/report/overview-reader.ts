import type { AccountSettings } from '../../../account/account.ts'
import type { Destination } from '../../../account/destination.ts'
import {
  type AccountName,
  type AddedReceivers,
  type LatestLeads,
  type OftenMissing,
  type OverviewReader,
  oftenMissingMax,
  oftenMissingMin,
  overviewDays,
  type RefusalCounts,
  type StoppedDestination,
} from '../../../operations/overview/overview-reader.ts'
import { mailingAccounts } from '../account/destination-rows.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { andThen } from '../lookup/many-keys.ts'

const receiversMax = 100
/** Alerts say what else is wrong, also beside an account that a disk has damaged. */
const visible = 'account.removed_at IS NULL AND account.site_revision > 0 AND json_valid(account.settings)'
/** Robots and visitors without consent are refused rightly. */
const asItShould = "('honeypot', 'bot_check', 'consent', 'incomplete', 'destination')"

/** What the console's first page reads of all accounts, on a connection that never waits for the writer. */
export class SqliteOverviewReader implements OverviewReader {
  constructor(private readonly reader: Pick<Connection, 'raw' | 'db'>) {}

  async accounts(): Promise<AccountName[]> {
    return this.reader.raw
      .query<{ id: string; handle: string; settings: string }, []>(
        `SELECT id, handle, settings FROM account WHERE ${visible} ORDER BY handle`,
      )
      .all()
      .map(({ id, handle, settings }) => {
        const { name, domains, timezone, noLeadsForHours } = storedJson<AccountSettings>(settings)
        return { id, handle, name, domains, timezone, noLeadsForHours }
      })
  }

  async latestLeads(accounts: readonly { id: string; today: number }[]): Promise<LatestLeads[]> {
    const statement = this.reader.raw.query<{ byDay: string; lastAt: number | null }, [string, number]>(
      `SELECT (${leadsByDay}) AS byDay,
         (SELECT max(received_at) FROM submission_fact WHERE account_row = account.row AND status = 'accepted') AS lastAt
       FROM account WHERE id = ?1`,
    )
    return accounts.map(({ id, today }) => {
      const { byDay, lastAt } = statement.get(id, today) ?? { byDay: '[]', lastAt: null }
      return { byDay: JSON.parse(byDay) as number[], lastAt }
    })
  }

  async stoppedDestinations(): Promise<StoppedDestination[]> {
    // `isToVisitors`: their names alone have a colon.
    return this.reader.raw
      .query<Omit<StoppedDestination, 'kind'> & { definition: string }, []>(
        `SELECT account.id AS accountId, name, definition, pause_reason AS pauseReason, coalesce(paused_at, failing_since) AS since
         FROM destination JOIN account ON account.row = destination.account_row
         WHERE destination.removed_at IS NULL AND ${visible}
           AND (paused_at IS NOT NULL OR failing_since IS NOT NULL AND name NOT LIKE '%:%')
         ORDER BY handle, name`,
      )
      .all()
      .map(({ definition, ...stopped }) => ({ ...stopped, kind: storedJson<Destination>(definition).kind }))
  }

  async mailingAccounts(): Promise<string[]> {
    return mailingAccounts(this.reader)
  }

  async addedReceivers(since: number): Promise<AddedReceivers[]> {
    return this.reader.raw
      .query<Omit<AddedReceivers, 'receivers'> & { receivers: string }, [number]>(
        `SELECT account.id AS accountId, at, by, receivers
         FROM publication JOIN account ON account.row = publication.account_row
         WHERE receivers IS NOT NULL AND at >= ? AND ${visible} ORDER BY at DESC LIMIT ${receiversMax}`,
      )
      .all(since)
      .map(({ receivers, ...added }) => ({ ...added, receivers: storedJson<string[]>(receivers) }))
  }

  async missing(accounts: readonly { id: string; today: number }[]): Promise<OftenMissing[]> {
    const statement = this.reader.raw.query<OftenMissing, [string, number]>(
      `SELECT account.id AS accountId, path, max(count) AS count
       FROM account ${andThen('missing_count')} ON missing_count.account_row = account.row AND day >= ?2 - 1
       WHERE account.id = ?1 GROUP BY path HAVING max(count) >= ${oftenMissingMin}
       ORDER BY 3 DESC, path LIMIT ${oftenMissingMax}`,
    )
    return accounts.flatMap(({ id, today }) => statement.all(id, today))
  }

  async refusals(hour: number, hours: number): Promise<RefusalCounts[]> {
    return this.reader.raw
      .query<RefusalCounts, [number, number]>(
        `SELECT account.id AS accountId, sum(count) FILTER (WHERE hour >= ?1) AS lately,
           coalesce(sum(count) FILTER (WHERE hour < ?1), 0) AS before
         FROM account ${andThen('refusal_count')} ON refusal_count.account_row = account.row AND hour >= ?1 - ?2
         WHERE ${visible} AND "check" NOT IN ${asItShould}
         GROUP BY account.row HAVING lately > 0 ORDER BY handle`,
      )
      .all(hour, hours)
  }
}

/** Each day is looked up by the key: between them stand the day's figures of all other measures. */
const leadsByDay = `
  WITH RECURSIVE wanted(day) AS (SELECT ?2 - ${2 * overviewDays - 1} UNION ALL SELECT day + 1 FROM wanted WHERE day < ?2)
  SELECT json_group_array(
    (SELECT coalesce(sum(count), 0) FROM day_figure
     WHERE account_row = account.row AND day_figure.day = wanted.day AND measure = 'lead') ORDER BY wanted.day)
  FROM wanted`
