import type { Database } from 'bun:sqlite'
import type { Destination } from '../../../account/destination.ts'
import { leadsPerMailMax, mailDueAt } from '../../../delivery/mail-pace.ts'
import type { DestinationKey, PackedDelivery, Parcel, TakeOptions } from '../../../delivery/outbox.ts'
import { openedDestination, type SecretsRow, secretColumns, validSecrets } from './destination-rows.ts'

type OpenDestination = Pick<Parcel, 'accountId' | 'destination' | 'secrets'>

/** Due rows read at once, in addition to those under way: those of a mail may belong to several forms. */
const dueRowsMax = 200
/** Rows postponed by one statement: about 5 ms. Later turns postpone the rest. */
const postponedMax = 500

/** Takes parcels from the outbox: one row, or for a mail all that wait for its destination and form. */
export class Parcels {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(private readonly raw: Database) {
    this.statements = prepareStatements(raw)
  }

  take(key: DestinationKey, options: TakeOptions): Parcel | null {
    const found = this.destination(key, options.now)
    if (found === null) return null
    const deliveries = found.destination.kind === 'mail' ? this.mail(key, options) : this.one(key, options)
    return deliveries.length === 0 ? null : { key, ...found, deliveries }
  }

  /** `null`: removed or paused since it was found ready. */
  private destination(key: DestinationKey, now: number): OpenDestination | null {
    const row = this.statements.destination.get(key)
    if (row === null) return null
    const { accountId } = row
    const destination = openedDestination(this.raw, accountId, JSON.parse(row.definition) as Destination)
    return { accountId, destination, secrets: validSecrets(this.raw, row, { accountId, name: destination.name, now }) }
  }

  private one(key: DestinationKey, { now, underWay }: TakeOptions): PackedDelivery[] {
    const due = this.statements.due.all(key, now, underWay.size + 1)
    return due.filter((row) => !underWay.has(row.key)).slice(0, 1)
  }

  /** What waits for the first form whose turn it is. Forms that had a mail minutes ago keep waiting. */
  private mail(key: DestinationKey, { now, underWay }: TakeOptions): PackedDelivery[] {
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
  schedule_step AS scheduleStep, next_at AS nextAt, body, form_id AS formId`

interface DestinationRow extends SecretsRow {
  accountId: string
  definition: string
}

function prepareStatements(raw: Database) {
  return {
    destination: raw.query<DestinationRow, [DestinationKey]>(
      `SELECT account.id AS accountId, definition, ${secretColumns}
       FROM destination JOIN account ON account.row = destination.account_row
       WHERE destination.row = ? AND destination.removed_at IS NULL AND paused_at IS NULL
         AND account.removed_at IS NULL`,
    ),
    due: raw.query<PackedDelivery, [DestinationKey, number, number]>(
      `SELECT ${columns} FROM delivery
       WHERE destination_row = ? AND state = 'waiting' AND next_at <= ? ORDER BY next_at, row LIMIT ?`,
    ),
    waitingOfForm: raw.query<PackedDelivery, [DestinationKey, string, number]>(
      `SELECT ${columns} FROM delivery
       WHERE destination_row = ? AND state = 'waiting' AND form_id = ? ORDER BY next_at, row LIMIT ?`,
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
