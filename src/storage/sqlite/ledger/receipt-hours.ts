import { gte, min } from 'drizzle-orm'
import type { Decision } from '../../../ledger/decision.ts'
import type { Connection } from '../database/connection.ts'
import { ledger, receiptHour } from '../schema/ledger-schema.ts'
import { encodeDecision } from './ledger-codec.ts'

const msPerHour = 60 * 60 * 1000

/** Notes the entry with which each hour of receipt begins, in the transaction that stores the entry. */
export class ReceiptHours {
  private readonly add: ReturnType<typeof prepareAdd>
  private latest: number | null = null

  constructor(connection: Connection) {
    this.add = prepareAdd(connection)
  }

  /** Call after a failed transaction: its notes are not stored. */
  forget(): void {
    this.latest = null
  }

  /**
   * Call after each insert. Entries of one hour come together, and hours are never deleted, so nearly all calls are one
   * comparison.
   */
  noteInserted(receivedAt: number): void {
    const hour = Math.floor(receivedAt / msPerHour)
    if (hour === this.latest) return
    this.latest = hour
    this.add.run(hour)
  }
}

/**
 * The first sequence that an entry received at the instant (epoch milliseconds) or later can have; infinity: none.
 * Exact for any order of commits, since the lowest sequence of each hour is known. Call in a reading transaction.
 */
export function firstSequenceFrom({ db }: Connection, receivedFrom: number): number {
  const first = db
    .select({ sequence: min(receiptHour.firstSequence) })
    .from(receiptHour)
    .where(gte(receiptHour.hour, Math.floor(receivedFrom / msPerHour)))
    .get()
  return first?.sequence ?? Number.POSITIVE_INFINITY
}

const prepareAdd = ({ raw }: Connection) =>
  raw.query<null, [number]>(
    'INSERT INTO receipt_hour (hour, first_sequence) VALUES (?, last_insert_rowid()) ON CONFLICT DO NOTHING',
  )

/** Stores a decision at the end of the ledger, in the transaction of what it decides. */
export function appendDecision(connection: Connection, accountRow: number, decision: Decision): void {
  const { accountId: _named, ...row } = encodeDecision(decision)
  connection.db
    .insert(ledger)
    .values({ accountRow, ...row })
    .run()
  new ReceiptHours(connection).noteInserted(decision.receivedAt)
}
