/** Whose records are looked for. */
export interface ErasureQuery {
  accountId: string
  /** As `identityEmail` writes it. */
  email: string
  /** Ids under which links were signed for them, by every key that is known (capture/recipient-id.ts). */
  recipients: string[]
}

/** Records by kind, and the devices that are nobody else's. */
export interface ErasureCounts {
  submissions: number
  events: number
  pageViews: number
  clicks: number
  devices: number
  /** Records that cannot be read: whether they are theirs, nothing tells. They stay. */
  unreadable: number
}

export interface ErasureReceipt extends ErasureCounts {
  /** Records of other persons that name the address, by id: they are theirs, and stay. At most `mentionsMax`. */
  mentionedIn: string[]
  /** How many such records there are, also those that `mentionedIn` leaves out. */
  mentions: number
  /**
   * Devices of the account that could not be derived again without the erased records: their figures, and where submissions of
   * theirs came from, are as they were.
   */
  notDerived: number
  /** Whether no byte of the database's files holds the address any more, but for those records; not where some are unreadable. */
  verified: boolean
}

export const mentionsMax = 100

/**
 * Takes a person out of an account: all that is theirs by the rules of docs/privacy.md, and what was made of it.
 *
 * Guarantees: other persons' records stay as they are, and figures stay what a count over the records would give;
 * interrupted, it is finished by running it again, and the ledger names exactly the records that went, by id; no step holds
 * the database's write lock longer than 20 ms; what is captured of the person meanwhile, and processed after their end, makes
 * a new one. What was captured before is processed first, since it is nobody's until then.
 */
export interface Erasure {
  /** What would go. */
  find(query: ErasureQuery): Promise<ErasureCounts>
  /**
   * @param onFound called once everything captured before has been processed, before anything goes
   * @throws when the disk fails; run it again then
   */
  erase(query: ErasureQuery, onFound?: () => Promise<void>): Promise<ErasureReceipt>
}
