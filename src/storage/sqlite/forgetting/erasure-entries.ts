import type { Database } from 'bun:sqlite'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import { UnreadableEntry } from '../../../ledger/ledger.ts'
import type { EntryRow } from '../ledger/ledger-codec.ts'
import { decisionKinds, decodeDecision } from '../ledger/ledger-codec.ts'

/** An open database, or one attached to it. */
export type Schema = 'main' | 'restored' | 'arriving'

interface AccountRow {
  row: number
  id: string
}

/** The erasure entries of an account, in order of commit. Unreadable ones are left out. */
export function erasuresOf(raw: Database, { row, id: accountId }: AccountRow, schema: Schema = 'main'): ErasureEntry[] {
  const rows = raw
    .query<EntryRow, [number]>(
      `SELECT kind, id, received_at AS receivedAt, record, checksum FROM ${schema}.ledger
       WHERE account_row = ? AND kind = ${decisionKinds.erasure} ORDER BY sequence`,
    )
    .all(row)
  return rows.flatMap((row) => {
    const decision = readable(row, accountId)
    return decision?.kind === 'erasure' ? [decision] : []
  })
}

function readable(row: EntryRow, accountId: string) {
  try {
    return decodeDecision(row, accountId)
  } catch (error) {
    if (error instanceof UnreadableEntry) return null
    throw error
  }
}

/** The same for all accounts, including removed ones: an older backup brings those back. */
export function allErasures(raw: Database, schema: Schema = 'main'): ErasureEntry[] {
  const accounts = raw.query<AccountRow, []>(`SELECT row, id FROM ${schema}.account ORDER BY row`).all()
  return accounts.flatMap((account) => erasuresOf(raw, account, schema))
}
