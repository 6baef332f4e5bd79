import type { Database } from 'bun:sqlite'
import type { Destination } from '../../../account/destination.ts'
import type {
  Backfill,
  DeliveryControl,
  DeliveryPage,
  DeliveryQuery,
  DestinationReport,
  KeptExchange,
  ListedDelivery,
  PauseReason,
  RetrySelection,
  ShownDelivery,
} from '../../../delivery/delivery-control.ts'
import { newId } from '../../../lib/id.ts'
import {
  openedDestination,
  pauseOf,
  previousSecretMs,
  replaceSecret,
  type SecretsRow,
  secretColumns,
  validSecrets,
} from '../account/destination-rows.ts'
import { isOfRefused, isRetriable } from '../account/withdrawn-delivery.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { inSteps, rowsPerStep } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { ownRecords, personByEmail } from '../persons/own-records.ts'

const accountRow = '(SELECT row FROM account WHERE id = ?1)'

/** Deliveries in SQLite, as an operator sees and changes them. */
export class SqliteDeliveryControl implements DeliveryControl {
  constructor(
    private readonly connection: Connection,
    private readonly reader: Connection,
  ) {}

  async list(query: DeliveryQuery): Promise<DeliveryPage> {
    return pageOfDeliveries(this.reader, query)
  }

  async find(accountId: string, id: string): Promise<ShownDelivery | null> {
    const { raw } = this.reader
    const found = raw.query<DeliveryRow, [string, string]>(`${listed} AND delivery.id = ?2`).get(accountId, id)
    if (found === null) return null
    const exchanges = raw
      .query<KeptExchange, [string]>(
        `SELECT number, at, status, error, exchange FROM delivery_attempt
         WHERE delivery_row = (SELECT row FROM delivery WHERE id = ?) ORDER BY number`,
      )
      .all(id)
    return { ...listedDelivery(found), exchanges }
  }

  async ofSubmission(accountId: string, submissionId: string): Promise<ListedDelivery[]> {
    return this.reader.raw
      .query<DeliveryRow, [string, string]>(
        `${listed} AND delivery.sequence = (SELECT sequence FROM ledger
           WHERE ledger.account_row = ${accountRow} AND kind = ${entryKinds.submission} AND ledger.id = ?2)
         ORDER BY delivery.row`,
      )
      .all(accountId, submissionId)
      .map(listedDelivery)
  }

  async retry(accountId: string, selection: RetrySelection, now: number): Promise<number> {
    const [condition, ...values] = retryCondition(selection)
    const statement = this.connection.raw.query(
      `UPDATE delivery SET state = 'waiting', next_at = ?2, schedule_step = 0, settled_at = NULL
       WHERE row IN (SELECT row FROM delivery WHERE account_row = ${accountRow} AND ${condition} AND NOT ${isOfRefused} LIMIT ${rowsPerStep})`,
    )
    return inSteps(() => statement.run(accountId, now, ...values))
  }

  async countUnsent(accountId: string, name: string, ids: readonly string[]): Promise<number> {
    const statement = this.reader.raw.query<object, [string, string, string]>(`SELECT 1 ${unsent}`)
    return ids.filter((id) => statement.get(accountId, name, id) !== null).length
  }

  async backfill(accountId: string, { name, ids, now }: Backfill): Promise<number> {
    const statement = this.connection.raw.query<null, [string, string, string, string, number]>(
      `INSERT INTO delivery (id, account_row, destination_row, sequence, submission_id, form_id, is_duplicate, is_backfilled, state, created_at, next_at)
       SELECT ?4, ledger.account_row, destination.row, ledger.sequence, ledger.id, form_id, duplicate_of IS NOT NULL, 1, 'waiting',
         coalesce(released_at, ledger.received_at), ?5 ${unsent}`,
    )
    return writeTransaction(this.connection, () =>
      ids.reduce((sum, id) => sum + statement.run(accountId, name, id, newId(), now).changes, 0),
    )
  }

  async destinations(accountId: string): Promise<DestinationReport[]> {
    return this.reader.raw
      .query<DestinationRow, [string]>(
        `WITH latest AS (SELECT destination_row, state, settled_at FROM delivery
           WHERE account_row = ${accountRow} ORDER BY row DESC LIMIT ${latestMax}),
         delivered AS (SELECT destination_row, max(settled_at) AS at FROM latest WHERE state = 'delivered' GROUP BY 1)
         SELECT definition, paused_at AS pausedAt, pause_reason AS pauseReason, failing_since AS failingSince, failures,
           created_at AS createdAt,
           (SELECT at FROM delivered WHERE destination_row = destination.row) AS deliveredAt,
           (SELECT count(*) FROM delivery WHERE destination_row = destination.row AND state = 'waiting') AS waiting,
           (SELECT count(*) FROM delivery
            WHERE account_row = destination.account_row AND ${isRetriable} AND destination_row = destination.row) AS failed
         FROM destination WHERE account_row = ${accountRow} AND removed_at IS NULL ORDER BY name`,
      )
      .all(accountId)
      .map((row) => destinationReport(this.reader.raw, accountId, row))
  }

  async pause(accountId: string, name: string, now: number): Promise<boolean> {
    return this.change("paused_at = coalesce(paused_at, ?3), pause_reason = coalesce(pause_reason, 'hand')", [
      accountId,
      name,
      now,
    ])
  }

  async resume(accountId: string, name: string): Promise<boolean> {
    return this.change('paused_at = NULL, pause_reason = NULL, failing_since = NULL, failures = 0', [accountId, name])
  }

  async secrets(accountId: string, name: string, now: number): Promise<string[]> {
    const row = this.reader.raw
      .query<SecretsRow, [string, string]>(`SELECT ${secretColumns} ${named}`)
      .get(accountId, name)
    return row === null ? [] : validSecrets(this.reader.raw, row, { accountId, name, now })
  }

  async notified(accountId: string, of: { email: string | null; submissions: readonly string[] }): Promise<string[]> {
    return notifiedDestinations(this.connection, { accountId, ...of })
  }

  async replaceSecret(accountId: string, name: string, secret: string, now: number): Promise<number> {
    writeTransaction(this.connection, () => {
      const found = this.connection.raw
        .query<{ row: number }, [string, string]>(`SELECT row ${named}`)
        .get(accountId, name)
      if (found === null) throw new Error(`no destination ${name}`)
      replaceSecret(this.connection, { row: found.row, accountId, name }, secret, now)
    })
    return now + previousSecretMs
  }

  private change(set: string, values: [string, string, ...number[]]): boolean {
    const statement = `UPDATE destination SET ${set} WHERE account_row = ${accountRow} AND name = ?2 AND removed_at IS NULL`
    return this.connection.raw.query(statement).run(...values).changes > 0
  }
}

/** An account's deliveries among which something that got through is looked for. */
const latestMax = 10_000

const named = `FROM destination WHERE account_row = ${accountRow} AND name = ?2 AND removed_at IS NULL`

/** A processed submission, unless the destination has a delivery of it. An erasure may take it at any moment. */
const unsent = `FROM ledger JOIN submission_fact fact ON fact.sequence = ledger.sequence
  JOIN destination ON destination.account_row = ledger.account_row AND destination.name = ?2 AND removed_at IS NULL
  WHERE ledger.account_row = ${accountRow} AND kind = ${entryKinds.submission} AND ledger.id = ?3
    AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.sequence = ledger.sequence AND destination_row = destination.row)`

interface DestinationRow {
  definition: string
  pausedAt: number | null
  pauseReason: PauseReason | null
  failingSince: number | null
  failures: number
  deliveredAt: number | null
  waiting: number
  failed: number
  createdAt: number
}

function destinationReport(
  raw: Database,
  accountId: string,
  { definition, pausedAt, pauseReason, ...row }: DestinationRow,
): DestinationReport {
  const destination = openedDestination(raw, accountId, storedJson<Destination>(definition))
  return { destination, pause: pauseOf(pausedAt, pauseReason), ...row }
}

/** Changed rows no longer match, so the steps come to an end. */
function retryCondition(selection: RetrySelection): [string, ...string[]] {
  const isRetried = `(state = 'failed' OR state = 'waiting' AND next_at > ?2)`
  if (selection === 'failed') return [`state = 'failed'`]
  if (selection === 'all') return [isRetried]
  if ('id' in selection) return [`id = ?3 AND (state <> 'waiting' OR next_at <> ?2)`, selection.id]
  return [`destination_row = (SELECT row ${named.replace('?2', '?3')}) AND ${isRetried}`, selection.destination]
}

/** Names of the destinations that were or may have been sent something of the person, or one of the submissions. */
function notifiedDestinations(
  connection: Connection,
  { accountId, email, submissions }: { accountId: string; email: string | null; submissions: readonly string[] },
): string[] {
  const { raw } = connection
  const accountRow = storedAccountRow(connection, accountId)
  if (accountRow === null) return []
  const person = email === null ? null : personByEmail(connection, accountRow, email)
  const records =
    email === null || person === null ? [] : ownRecords(connection, { personRow: person.row, email }).records
  return raw
    .query<{ name: string }, [string, string, number]>(
      `SELECT DISTINCT name FROM delivery JOIN destination ON destination.row = delivery.destination_row
       WHERE sequence IN (SELECT value FROM json_each(?1)
           UNION SELECT sequence FROM ledger WHERE account_row = ?3 AND kind = ${entryKinds.submission}
             AND id IN (SELECT value FROM json_each(?2)))
         AND tried_at IS NOT NULL ORDER BY name`,
    )
    .all(JSON.stringify(records.map(({ sequence }) => sequence)), JSON.stringify(submissions), accountRow)
    .map(({ name }) => name)
}

type Reader = Pick<Connection, 'raw'>

/** What waits for a removed destination is about to be deleted. */
const listed = `
  SELECT delivery.row, delivery.id, name, definition, submission_id AS submissionId, state, paused_at AS pausedAt, attempts,
    delivery.created_at AS createdAt, next_at AS nextAt, last_status AS lastStatus, last_error AS lastError
  FROM delivery JOIN destination ON destination.row = delivery.destination_row
  WHERE delivery.account_row = ${accountRow} AND (state <> 'waiting' OR removed_at IS NULL)`

interface DeliveryRow extends Omit<ListedDelivery, 'destination' | 'kind' | 'paused' | 'nextAt'> {
  row: number
  name: string
  definition: string
  pausedAt: number | null
  nextAt: number
}

function listedDelivery({ name, definition, pausedAt, nextAt, ...row }: DeliveryRow): ListedDelivery {
  const { kind } = storedJson<Destination>(definition)
  const { id, state, submissionId, attempts, createdAt, lastStatus, lastError } = row
  const whose = { id, destination: name, kind, submissionId, state, paused: pausedAt !== null }
  return { ...whose, attempts, createdAt, nextAt: state === 'waiting' ? nextAt : null, lastStatus, lastError }
}

/** Rows that one part of a search looks at, a few ms; the next part continues from there. */
const searchedMax = 1000
/** Spelled out for the partial index. */
const isFailed = "AND delivery.state = 'failed'"
const isFound = `(delivery.id = ?5 OR submission_id = ?5 OR instr(lower(name), lower(?5)) > 0
  OR instr(lower(coalesce(last_error, '')), lower(?5)) > 0)`

function pageOfDeliveries(reader: Reader, query: DeliveryQuery): DeliveryPage {
  const { accountId, state, q, limit, behind } = query
  const from = behind === null ? Number.MAX_SAFE_INTEGER : Number(behind)
  const floor = floorOf(reader, query, from)
  const rows = reader.raw
    .query<DeliveryRow, [string, number, number, string | null, string | null, number]>(
      `${listed} ${state === 'failed' ? isFailed : ''} AND delivery.row < ?2 AND delivery.row >= ?3
       AND (?4 IS NULL OR state = ?4) AND (?5 IS NULL OR ${isFound})
       ORDER BY delivery.row DESC LIMIT ?6`,
    )
    .all(accountId, from, floor, state, q, limit + 1)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? (page.at(-1)?.row ?? 0) : floor
  return { deliveries: page.map(listedDelivery), next: last === 0 ? null : String(last) }
}

/** The last row that a page of a search looks at; 0: no limit. */
function floorOf({ raw }: Reader, { accountId, state, q }: DeliveryQuery, from: number): number {
  if (q === null && (state === null || state === 'failed')) return 0
  const floor = raw
    .query<{ row: number }, [string, number]>(
      `SELECT row FROM delivery WHERE account_row = ${accountRow} AND row < ?2 ORDER BY row DESC LIMIT 1 OFFSET ${searchedMax - 1}`,
    )
    .get(accountId, from)
  return floor?.row ?? 0
}
