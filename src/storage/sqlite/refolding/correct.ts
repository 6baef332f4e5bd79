import type { ProcessingState } from '../../../processing/processing-state.ts'
import type { Folding } from '../processing/folding.ts'

/** What rules of processing correct: state in memory, as when an entry is folded. */
export interface Correction {
  accountId: string
  state: ProcessingState
}

/**
 * Corrects what was derived for an account, by the rules that derived it, and writes the difference. A figure that becomes zero
 * loses its row: its name may be an erased person's. Does nothing for a removed account, of which everything goes. Call in a
 * transaction.
 */
export function correct(folding: Folding, accountRow: number, rules: (correction: Correction) => void): void {
  const fold = folding.begin()
  const account = folding.account(accountRow)
  if (account === null) return
  rules({ accountId: account.id, state: fold.state })
  fold.keep()
  folding.store.figures.forgetZeros(fold.state.figures)
}
