import type { LedgerEntry } from '../ledger/decision.ts'
import type { ProcessedAccount } from './processed-account.ts'

/** Storage's name of an entry of the ledger; a later one has a greater one. */
export type EntryKey = number & { readonly __of: 'entry' }

/** An entry with what processing has to know to fold it. */
export interface LedgerItem<Kind extends LedgerEntry = LedgerEntry> {
  key: EntryKey
  entry: Kind
  account: ProcessedAccount
}

/** Which entry is being folded: what is noted of it names it. */
export interface UnderWay {
  key: EntryKey
}
