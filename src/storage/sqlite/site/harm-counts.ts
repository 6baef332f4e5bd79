import type { HarmCounts } from '../../../site/harm-counts.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/ledger-tree.ts'

const accountRow = '(SELECT row FROM account WHERE id = ?1)'

interface Count {
  name: string
  count: number
}

/** Read from the roll-ups and the outbox, on a connection that never waits for the writer. */
export class SqliteHarmCounts implements HarmCounts {
  constructor(private readonly reader: Pick<Connection, 'raw'>) {}

  views(accountId: string, of: 'host' | 'page', fromDay: number): Promise<ReadonlyMap<string, number>> {
    return this.figures(accountId, of, fromDay)
  }

  async events(accountId: string, fromDay: number): Promise<number> {
    return (await this.figures(accountId, 'event', fromDay)).get('') ?? 0
  }

  async waiting(accountId: string): Promise<ReadonlyMap<string, number>> {
    const counts = this.reader.raw
      .query<Count, [string]>(
        `SELECT name, (SELECT count(*) FROM delivery WHERE destination_row = destination.row AND state = 'waiting') AS count
         FROM destination WHERE account_row = ${accountRow} AND removed_at IS NULL`,
      )
      .all(accountId)
    return byName(counts)
  }

  async unprocessed(accountId: string): Promise<ReadonlyMap<string, number>> {
    const counts = this.reader.raw.query<Count, [string]>(unprocessedQuery).all(accountId)
    return byName(counts)
  }

  private async figures(
    accountId: string,
    measure: 'host' | 'page' | 'event',
    fromDay: number,
  ): Promise<ReadonlyMap<string, number>> {
    const counts = this.reader.raw
      .query<Count, [string, string, number]>(
        `SELECT name, sum(count) AS count FROM day_figure
         WHERE account_row = ${accountRow} AND measure = ?2 AND day >= ?3 GROUP BY name`,
      )
      .all(accountId, measure, fromDay)
    return byName(counts)
  }
}

/** Entries that are looked through for submissions: processing is seldom a second behind. */
const unprocessedMax = 10_000

const unprocessedQuery = `
  SELECT name, count(*) AS count FROM (
    SELECT ${recordField('formId')} AS name FROM (
      SELECT account_row, kind, record FROM ledger WHERE sequence > (SELECT cursor FROM processing)
      ORDER BY sequence LIMIT ${unprocessedMax})
    WHERE account_row = ${accountRow} AND kind = ${entryKinds.submission} AND ${recordField('status')} = 'accepted'
      AND ${recordField('test')} IS NOT 1)
  WHERE name IS NOT NULL GROUP BY name`

const byName = (counts: readonly Count[]): ReadonlyMap<string, number> =>
  new Map(counts.flatMap(({ name, count }) => (count > 0 ? [[name, count] as const] : [])))
