import type { Decision } from '../../../ledger/decision.ts'
import type { Connection } from '../database/connection.ts'
import { encodeDecision } from './decision-codec.ts'
import { ledger } from './ledger-schema.ts'
import { ReceiptHours } from './receipt-hours.ts'

/** Stores a decision at the end of the ledger, in the transaction of what it decides. */
export function appendDecision(connection: Connection, accountRow: number, decision: Decision): void {
  const { accountId: _named, ...row } = encodeDecision(decision)
  connection.db
    .insert(ledger)
    .values({ accountRow, ...row })
    .run()
  new ReceiptHours(connection).noteInserted(decision.receivedAt)
}
