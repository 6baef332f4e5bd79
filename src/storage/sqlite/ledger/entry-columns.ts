/** All columns of a row of `ledger`, named as in `ledger-schema.ts`. */
export const entryColumns = `ledger.sequence, ledger.account_row AS accountRow, ledger.kind, ledger.id,
  ledger.received_at AS receivedAt, ledger.record, ledger.checksum`
