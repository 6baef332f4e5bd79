import { LocalDays } from '../../../lib/local-day.ts'
import { touchOf } from '../../../processing/attribution/touch-of.ts'
import { Fold } from '../../../processing/fold.ts'
import { targetsOf } from '../../../processing/goals/counted-goals.ts'
import type { EntryKey, LedgerItem, ProcessedAccount } from '../../../processing/ledger-item.ts'
import type { ProcessingState, Rules } from '../../../processing/processing-state.ts'
import { Verdicts } from '../../../verdict/verdicts.ts'
import type { Connection } from '../database/connection.ts'
import { decodeLedgerEntry, type EntryRow } from '../ledger/ledger-codec.ts'
import { DeliveredElsewhere } from './delivery-rows.ts'
import { SqliteFoldStore } from './fold-store.ts'
import { ProcessedAccounts } from './processed-accounts.ts'

export interface FoldedRow extends EntryRow {
  sequence: number
  accountRow: number
}

/** What rules of processing correct: state in memory, as when an entry is folded. */
export interface Correction {
  accountId: string
  state: ProcessingState
}

/** Folds ledger rows on one connection, in its user's transactions. */
export class Folding {
  readonly store: SqliteFoldStore
  readonly rules: Rules
  private readonly accounts: ProcessedAccounts
  private readonly elsewhere: DeliveredElsewhere

  constructor(connection: Connection, verdicts = new Verdicts()) {
    this.accounts = new ProcessedAccounts(connection)
    this.elsewhere = new DeliveredElsewhere(connection)
    this.store = new SqliteFoldStore(connection, this.accounts.rowOf)
    this.rules = { verdicts, days: new LocalDays(), touchOf, targetsOf }
  }

  /** Begins a step; call in its transaction. */
  begin(): Fold {
    this.accounts.refresh()
    return new Fold(this.store, this.rules)
  }

  /** `null`: it was removed. */
  account(row: number): ProcessedAccount | null {
    return this.accounts.find(row)
  }

  /** `null`: its account was removed, and its records will be. @throws UnreadableEntry */
  item(row: FoldedRow, elsewhere = this.elsewhere.among([row])): LedgerItem | null {
    const found = this.account(row.accountRow)
    if (found === null) return null
    const account = elsewhere(row.sequence) ? { ...found, destinations: [] } : found
    return { key: row.sequence as EntryKey, entry: decodeLedgerEntry(row, account.id), account }
  }

  /** The rows before the first unreadable one. @throws UnreadableEntry if that is the first of all */
  items(rows: readonly FoldedRow[]): (LedgerItem | null)[] {
    const items: (LedgerItem | null)[] = []
    const elsewhere = this.elsewhere.among(rows)
    for (const row of rows) {
      try {
        items.push(this.item(row, elsewhere))
      } catch (error) {
        if (items.length === 0) throw error
        break
      }
    }
    return items
  }

  /**
   * Corrects what was derived for an account, by the rules that derived it, and writes the difference. A figure that becomes zero
   * loses its row: its name may be an erased person's. Does nothing for a removed account, of which everything goes. Call in a
   * transaction.
   */
  correct(accountRow: number, rules: (correction: Correction) => void): void {
    const fold = this.begin()
    const account = this.account(accountRow)
    if (account === null) return
    rules({ accountId: account.id, state: fold.state })
    fold.keep()
    this.store.figures.forgetZeros(fold.state.figures)
  }

  /** Folds one row as a step of its own; call in its transaction. */
  one(row: FoldedRow): void {
    const fold = this.begin()
    const item = this.item(row)
    if (item === null) return
    fold.add(item)
    fold.keep()
  }
}
