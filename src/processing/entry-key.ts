import type { LedgerEntry } from '../ledger/decision.ts'
import type { ProcessedAccount } from './processed-account.ts'

/** Storage's key of a ledger entry; later entries have greater keys. */
export type EntryKey = number & { readonly __of: 'entry' }

/** An entry and what is needed to fold it. */
export interface LedgerItem<Kind extends LedgerEntry = LedgerEntry> {
  key: EntryKey
  entry: Kind
  account: ProcessedAccount
}

/** The entry being folded. */
export interface UnderWay {
  key: EntryKey
}
