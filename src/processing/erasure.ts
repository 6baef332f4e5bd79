/** The person to look for. */
export interface ErasureQuery {
  accountId: string
  /** As `identityEmail` writes it. */
  email: string
  /** Ids under which links were signed for them, by every known key (capture/recipient-id.ts). */
  recipients: string[]
}

/** Records by kind, and devices that belong to nobody else. */
export interface ErasureCounts {
  submissions: number
  events: number
  pageViews: number
  clicks: number
  devices: number
}

export interface ErasureReceipt extends ErasureCounts {
  /** Ids of other people's records that mention the address, which stay. At most `mentionsMax`. */
  mentionedIn: string[]
  /** The number of such records, including those beyond `mentionedIn`. */
  mentions: number
  /**
   * Devices of the account that could not be derived again without the erased records. Their figures, and the origins
   * of their submissions, are unchanged.
   */
  notDerived: number
  /** Whether no byte of the database's files holds the address any more, apart from those records. */
  verified: boolean
}

export const mentionsMax = 100

/**
 * Erases a person from an account: everything that is theirs by the rules of docs/privacy.md, and what was derived from
 * it.
 *
 * Guarantees: other people's records stay as they are, and figures stay equal to a count over the records; an
 * interrupted erasure is finished by running it again, and the ledger names exactly the erased records, by id; no step
 * holds the database's write lock longer than 20 ms; what is captured meanwhile, and processed after the erasure, makes
 * a new person. Records captured before are processed first, since until then nobody owns them.
 */
export interface Erasure {
  /** Counts what would be erased. */
  find(query: ErasureQuery): Promise<ErasureCounts>
  /**
   * @param onFound called once everything captured before has been processed, before anything is erased
   * @throws when the disk fails, or UnreadableEntry; run it again once that is mended
   */
  erase(query: ErasureQuery, onFound?: () => Promise<void>): Promise<ErasureReceipt>
}
