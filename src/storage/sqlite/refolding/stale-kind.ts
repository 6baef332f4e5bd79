import type { Correction } from '../processing/folding.ts'

/**
 * A kind of keys that go stale when entries go. A mark says which are, in a table of its own; changes hold only while the key is
 * marked as it was: an erasure or retention that removes more marks it anew.
 */
export interface StaleKind<Key extends { accountRow: number } = { accountRow: number }, Change = unknown> {
  /** Changes written in one transaction: a millisecond or two. */
  readonly changesPerPart: number
  /** A marked key; `null`: none is. */
  next(): Key | null
  isMarked(key: Key): boolean
  /**
   * Loads what is left, folds it, and says what differs from it; holds no lock, and makes a pause after a millisecond or two.
   * Asked again until `settle` ends the mark.
   */
  changes(key: Key): Generator<Change | typeof pause>
  write(change: Change, key: Key, correction: Correction): void
  /** Ends the mark, unless the key must be looked at again, in the transaction. */
  settle(key: Key): void
  /** Leaves the key as it was. */
  giveUp(key: Key, reason: string): void
}

export const pause = Symbol('others may have their turn')
