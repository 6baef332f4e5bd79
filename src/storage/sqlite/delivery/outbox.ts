import type { Database } from 'bun:sqlite'
import type { AccountSettings } from '../../../account/account.ts'
import { type Destination, isReachedByMail, isToVisitors } from '../../../account/destination.ts'
import {
  type DeliveryState,
  type DestinationKey,
  furtherMax,
  leadsPerMailMax,
  mailDueAt,
  type Outbox,
  type PackedDelivery,
  type Parcel,
  type ReadyDestination,
  type Settlement,
  type TakeOptions,
} from '../../../delivery/outbox.ts'
import {
  eraseRemovedWaiting,
  openedDestination,
  type SecretsRow,
  secretColumns,
  validSecrets,
} from '../account/destination-rows.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { inSteps, rowsPerStep } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { Settlements } from './settlements.ts'

/**
 * The outbox in SQLite, on its own connection. Its writes need not be on disk when it returns: after a power failure a
 * delivery is repeated, as after a crash.
 */
export class SqliteOutbox implements Outbox {
  private readonly parcels: Parcels
  private readonly settlements: Settlements
  private readonly statements: ReturnType<typeof prepareStatements>
  private version = -1

  constructor(private readonly connection: Connection) {
    this.parcels = new Parcels(connection.raw)
    this.settlements = new Settlements(connection.raw)
    this.statements = prepareStatements(connection)
  }

  async ready(now: number): Promise<ReadyDestination[]> {
    return this.statements.ready.all(now).map(({ key, accountId, failures, definition }) => ({
      key,
      accountId,
      isFailing: failures > 0,
      isMail: isReachedByMail(storedJson<Destination>(definition)),
    }))
  }

  async take(destination: DestinationKey, options: TakeOptions): Promise<Parcel | null> {
    return this.parcels.take(destination, options)
  }

  async begin(begun: readonly { parcel: Parcel; body: string | null }[], at: number): Promise<void> {
    const { begin, beginOnce } = this.statements
    writeTransaction(this.connection, () => {
      for (const { parcel, body } of begun) {
        for (const { key } of parcel.deliveries) {
          begin.run(at, body, key)
          if (isToVisitors(parcel.destination)) beginOnce.run(at, cutOff, key)
        }
      }
    })
  }

  async settle(settlements: readonly Settlement[]): Promise<void> {
    writeTransaction(this.connection, () => {
      for (const settlement of settlements) this.settlements.write(settlement)
    })
  }

  hasChanged(): boolean {
    const version = this.statements.version.get()?.version ?? 0
    if (version === this.version) return false
    this.version = version
    return true
  }

  async clean(before: number): Promise<void> {
    const { oldAttempts, oldBodies } = this.statements
    for (const statement of [oldAttempts, oldBodies]) await inSteps(() => statement.run(before, rowsPerStep))
    await eraseRemovedWaiting(this.connection)
  }
}

/** Mails to visitors only, until their attempt is settled. */
const cutOff =
  'The box stopped while sending this. The visitor may have received it, so it is not retried automatically.'

function prepareStatements({ raw }: Connection) {
  return {
    version: raw.query<{ version: number }, []>('SELECT data_version AS version FROM pragma_data_version'),
    // One look into the index for each destination.
    ready: raw.query<{ key: DestinationKey; accountId: string; failures: number; definition: string }, [number]>(
      `SELECT destination.row AS key, account.id AS accountId, failures, definition
       FROM destination JOIN account ON account.row = destination.account_row
       WHERE destination.removed_at IS NULL AND paused_at IS NULL AND account.removed_at IS NULL
         AND json_valid(definition) AND EXISTS (SELECT 1 FROM delivery
           WHERE destination_row = destination.row AND state = 'waiting' AND next_at <= ?)`,
    ),
    begin: raw.query<null, [number, string | null, number]>(
      'UPDATE delivery SET tried_at = ?, body = coalesce(body, ?) WHERE row = ?',
    ),
    // However the process ends from here on, a visitor is not sent the same again.
    beginOnce: raw.query<null, [number, string, number]>(
      `UPDATE delivery SET state = 'failed', settled_at = ?, last_error = ? WHERE row = ?`,
    ),
    oldAttempts: raw.query<null, [number, number]>(
      `DELETE FROM delivery_attempt WHERE (delivery_row, number) IN (
         SELECT delivery_row, number FROM delivery_attempt WHERE at < ? ORDER BY at LIMIT ?)`,
    ),
    oldBodies: raw.query<null, [number, number]>(
      `UPDATE delivery SET body = NULL WHERE row IN (
         SELECT row FROM delivery WHERE body IS NOT NULL AND settled_at IS NOT NULL AND settled_at < ? LIMIT ?)`,
    ),
  }
}

type OpenDestination = Pick<Parcel, 'accountId' | 'destination' | 'secrets' | 'mailFrom'>

/** Due rows read at once, in addition to those under way: those of a mail may belong to several forms. */
const dueRowsMax = 200
/** Rows postponed by one statement: about 5 ms. Later turns postpone the rest. */
const postponedMax = 500

/** Takes parcels from the outbox: one row, or for a mail all that wait for its destination and form. */
class Parcels {
  private readonly statements: ReturnType<typeof prepareTaking>

  constructor(private readonly raw: Database) {
    this.statements = prepareTaking(raw)
  }

  take(key: DestinationKey, options: TakeOptions): Parcel | null {
    const found = this.destination(key, options.now)
    if (found === null) return null
    const rows = found.destination.kind === 'mail' ? this.mail(key, options) : this.one(key, options)
    if (rows.length === 0) return null
    const deliveries = rows.map(({ isBackfilled, ...row }) => ({ ...row, isBackfilled: isBackfilled === 1 }))
    return { key, ...found, deliveries, further: this.further(key, rows) }
  }

  private further(key: DestinationKey, rows: readonly DeliveryRow[]): number {
    if (rows.length < leadsPerMailMax) return 0
    const waiting = this.statements.waiting.get(key, rows[0]?.formId ?? '', furtherMax + rows.length)?.count ?? 0
    return Math.max(0, waiting - rows.length)
  }

  /** `null`: removed or paused since it was found ready. */
  private destination(key: DestinationKey, now: number): OpenDestination | null {
    const row = this.statements.destination.get(key)
    if (row === null) return null
    const { accountId } = row
    const destination = openedDestination(this.raw, accountId, storedJson<Destination>(row.definition))
    const secrets = validSecrets(this.raw, row, { accountId, name: destination.name, now })
    const { mailFrom } = storedJson<Pick<AccountSettings, 'mailFrom'>>(row.settings)
    return { accountId, destination, secrets, mailFrom }
  }

  private one(key: DestinationKey, { now, underWay }: TakeOptions): DeliveryRow[] {
    const due = this.statements.due.all(key, now, underWay.size + 1)
    return due.filter((row) => !underWay.has(row.key)).slice(0, 1)
  }

  /** What waits for the first form whose turn it is. Forms that had a mail minutes ago keep waiting. */
  private mail(key: DestinationKey, { now, underWay }: TakeOptions): DeliveryRow[] {
    const { due, waitingOfForm, pace, postpone } = this.statements
    const rows = due.all(key, now, dueRowsMax)
    const busy = new Set(rows.filter((row) => underWay.has(row.key)).map(({ formId }) => formId))
    for (const formId of new Set(rows.map(({ formId }) => formId ?? ''))) {
      if (busy.has(formId)) continue
      const dueAt = mailDueAt(pace.get(key, formId)?.sentAt ?? null, now)
      if (dueAt <= now) return waitingOfForm.all(key, formId, leadsPerMailMax)
      postpone.run(dueAt, key, formId, now)
    }
    return []
  }
}

const columns = `row AS key, id, submission_id AS submissionId, period, created_at AS createdAt,
  schedule_step AS scheduleStep, next_at AS nextAt, body, form_id AS formId, is_backfilled AS isBackfilled`

type DeliveryRow = Omit<PackedDelivery, 'isBackfilled'> & { isBackfilled: 0 | 1 }

interface DestinationRow extends SecretsRow {
  accountId: string
  definition: string
  /** JSON, of the account. */
  settings: string
}

function prepareTaking(raw: Database) {
  return {
    destination: raw.query<DestinationRow, [DestinationKey]>(
      `SELECT account.id AS accountId, definition, settings, ${secretColumns}
       FROM destination JOIN account ON account.row = destination.account_row
       WHERE destination.row = ? AND destination.removed_at IS NULL AND paused_at IS NULL
         AND account.removed_at IS NULL`,
    ),
    due: raw.query<DeliveryRow, [DestinationKey, number, number]>(
      `SELECT ${columns} FROM delivery
       WHERE destination_row = ? AND state = 'waiting' AND next_at <= ? ORDER BY next_at, row LIMIT ?`,
    ),
    waitingOfForm: raw.query<DeliveryRow, [DestinationKey, string, number]>(
      `SELECT ${columns} FROM delivery
       WHERE destination_row = ? AND state = 'waiting' AND form_id = ? ORDER BY next_at, row LIMIT ?`,
    ),
    waiting: raw.query<{ count: number }, [DestinationKey, string, number]>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM delivery
       WHERE destination_row = ? AND state = 'waiting' AND form_id = ? LIMIT ?)`,
    ),
    pace: raw.query<{ sentAt: number }, [DestinationKey, string]>(
      'SELECT sent_at AS sentAt FROM delivery_pace WHERE destination_row = ? AND form_id = ?',
    ),
    postpone: raw.query<null, [number, DestinationKey, string, number]>(
      `UPDATE delivery SET next_at = ? WHERE row IN (
         SELECT row FROM delivery
         WHERE destination_row = ? AND state = 'waiting' AND form_id = ? AND next_at <= ? ORDER BY next_at LIMIT ${postponedMax})`,
    ),
  }
}

/** How many deliveries are in each state. Delivered ones, possibly millions, follow from the others. */
export function deliveryCounts({ raw }: Pick<Connection, 'raw'>): Record<DeliveryState, number> {
  const { total, waiting, failed } = raw
    .query<{ total: number; waiting: number; failed: number }, []>(
      `SELECT (SELECT count(*) FROM delivery) AS total,
         (SELECT count(*) FROM delivery WHERE state = 'waiting') AS waiting,
         (SELECT count(*) FROM delivery WHERE state = 'failed') AS failed`,
    )
    .get() ?? { total: 0, waiting: 0, failed: 0 }
  return { waiting, delivered: total - waiting - failed, failed }
}
