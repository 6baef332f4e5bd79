/**
 * A record's place in the order of receipt. Persons follow this order, not that of commits, so that records committed
 * out of order make the same persons.
 */
export interface Receipt {
  /** Epoch milliseconds. */
  at: number
  /** The record's id orders records of one millisecond. */
  id: string
}

export const receiptOf = ({ receivedAt, id }: { receivedAt: number; id: string }): Receipt => ({ at: receivedAt, id })

export const isLater = (one: Receipt, other: Receipt): boolean =>
  one.at === other.at ? one.id > other.id : one.at > other.at
