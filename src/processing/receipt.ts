/**
 * A record's place in the order of receipt. Persons follow this order and not that of commit, so that records which
 * were committed in another order than they came make the same persons.
 */
export interface Receipt {
  /** Epoch milliseconds. */
  at: number
  /** The record's id, which decides between records of one millisecond. */
  id: string
}

export const isLater = (one: Receipt, other: Receipt): boolean =>
  one.at === other.at ? one.id > other.id : one.at > other.at
