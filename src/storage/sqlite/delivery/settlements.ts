import type { Database } from 'bun:sqlite'
import { isToVisitors } from '../../../account/destination.ts'
import { isGivenUp, type PauseReason } from '../../../delivery/delivery-control.ts'
import {
  type Attempt,
  boundedExchange,
  type DeliveryKey,
  type DestinationKey,
  type Settlement,
} from '../../../delivery/outbox.ts'
import { isOfRefused, withdrawnError } from '../account/withdrawn-delivery.ts'

const errorCharactersMax = 500
/** Exchanges kept of one delivery: those of a whole schedule and of some later retries. */
const exchangesMax = 12

/** Writes the outcomes of parcels; call within a transaction. Erased or removed rows stay gone. */
export class Settlements {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(raw: Database) {
    this.statements = prepareStatements(raw)
  }

  write(settlement: Settlement): void {
    for (const [index, { key }] of settlement.parcel.deliveries.entries())
      this.writeDelivery(key, settlement.nextAt[index] ?? null, settlement)
    if (settlement.attempt.outcome === 'delivered') this.succeeded(settlement)
    else if (!isToVisitors(settlement.parcel.destination)) this.failed(settlement)
  }

  private writeDelivery(key: DeliveryKey, nextAt: number | null, { attempt, at }: Settlement): void {
    const { outcome, status } = attempt
    const error = attempt.error?.slice(0, errorCharactersMax) ?? null
    const number = this.settled(key, { nextAt, outcome, status, error, at })
    if (number === undefined) return
    this.statements.keepExchange.run(key, number, at, status, error, boundedExchange(attempt.exchange))
    this.statements.dropExchanges.run(key, number - exchangesMax)
  }

  /** The number of the attempt; `undefined`: the row is gone. */
  private settled(key: DeliveryKey, { nextAt, outcome, status, error, at }: SettledDelivery): number | undefined {
    const { delivered, failed, postponed } = this.statements
    if (outcome === 'delivered') return delivered.get(at, status, error, key)?.attempts
    if (nextAt === null) return failed.get(at, status, error, key)?.attempts
    const { withdrawn } = this.statements
    return (withdrawn.get(at, status, withdrawnError, key) ?? postponed.get(nextAt, nextAt, status, error, key))
      ?.attempts
  }

  private succeeded({ parcel, at }: Settlement): void {
    const { isWell, keepPace } = this.statements
    isWell.run(parcel.key)
    const formId = parcel.destination.kind === 'mail' ? (parcel.deliveries[0]?.formId ?? null) : null
    if (formId !== null) keepPace.run(parcel.key, formId, at)
  }

  private failed({ parcel, attempt, at }: Settlement): void {
    const { hasFailed } = this.statements
    const found = hasFailed.get(at, parcel.key)
    if (found === null) return
    if (attempt.outcome === 'gone') this.pause(parcel.key, 'gone', at)
    else if (isGivenUp({ since: found.failingSince, failures: found.failures }, at))
      this.pause(parcel.key, 'failing', at)
  }

  private pause(key: DestinationKey, reason: PauseReason, at: number): void {
    this.statements.pause.run(at, reason, key)
  }
}

interface SettledDelivery extends Pick<Attempt, 'outcome' | 'status' | 'error'> {
  nextAt: number | null
  at: number
}

function prepareStatements(raw: Database) {
  type Numbered = { attempts: number }
  type Outcome = [number, number | null, string | null, DeliveryKey]
  return {
    delivered: raw.query<Numbered, Outcome>(
      `UPDATE delivery SET state = 'delivered', attempts = attempts + 1, settled_at = ?, last_status = ?, last_error = ?
       WHERE row = ? RETURNING attempts`,
    ),
    failed: raw.query<Numbered, Outcome>(
      `UPDATE delivery SET state = 'failed', attempts = attempts + 1, schedule_step = schedule_step + 1, settled_at = ?,
         last_status = ?, last_error = ?
       WHERE row = ? RETURNING attempts`,
    ),
    // Refused while it was under way: a release resumes it.
    withdrawn: raw.query<Numbered, Outcome>(
      `UPDATE delivery SET state = 'failed', attempts = attempts + 1, settled_at = ?, last_status = ?, last_error = ?
       WHERE row = ? AND ${isOfRefused} RETURNING attempts`,
    ),
    // A delivery that was not due only joined a mail: its own schedule continues.
    postponed: raw.query<Numbered, [number, number, number | null, string | null, DeliveryKey]>(
      `UPDATE delivery SET state = 'waiting', settled_at = NULL, attempts = attempts + 1, schedule_step = schedule_step + (next_at <> ?), next_at = ?,
         last_status = ?, last_error = ?
       WHERE row = ? RETURNING attempts`,
    ),
    keepExchange: raw.query<null, [DeliveryKey, number, number, number | null, string | null, string]>(
      `INSERT INTO delivery_attempt (delivery_row, number, at, status, error, exchange) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    ),
    dropExchanges: raw.query<null, [DeliveryKey, number]>(
      'DELETE FROM delivery_attempt WHERE delivery_row = ? AND number <= ?',
    ),
    isWell: raw.query<null, [DestinationKey]>(
      'UPDATE destination SET failing_since = NULL, failures = 0 WHERE row = ? AND failures > 0',
    ),
    hasFailed: raw.query<{ failingSince: number; failures: number }, [number, DestinationKey]>(
      `UPDATE destination SET failing_since = coalesce(failing_since, ?), failures = failures + 1
       WHERE row = ? RETURNING failing_since AS failingSince, failures`,
    ),
    pause: raw.query<null, [number, PauseReason, DestinationKey]>(
      'UPDATE destination SET paused_at = ?, pause_reason = ? WHERE row = ? AND paused_at IS NULL',
    ),
    keepPace: raw.query<null, [DestinationKey, string, number]>(
      `INSERT INTO delivery_pace (destination_row, form_id, sent_at) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET sent_at = excluded.sent_at`,
    ),
  }
}
