import type { IntakeBatch, Link, LinkPlace } from './cluster-log.ts'

/** Where this folder is in the chain. */
export interface ReplicaPosition {
  /** The cluster's name: the id of the box that founded it. */
  cluster: string
  /** The last link that this folder contains; `null`: there was none yet. */
  place: LinkPlace | null
  /** The id of the link that was sent last and of which no answer is known; `null`: none. */
  proposed: string | null
  /** Entries up to here are in the chain. */
  linkedTo: number
  /** Of the lease under which this folder led last; `null`: it never did, or gave the lease back. */
  run: string | null
}

/** What a new link contains. */
export interface LinkContent {
  body: Uint8Array
  /** The ids of the batches whose every effect is in it. */
  taken: string[]
  /** Whether nothing was cut. */
  isWhole: boolean
}

/** What a base contains that a link of kind `rebase` announces. */
export interface BaseContent {
  /** The last entry. A copy that has another is not that base. */
  to: number
  /** The ids of the batches whose every effect is in it. */
  taken: string[]
}

/** Sums of derived tables, by their names. */
export type Sums = Record<string, string>

/** A link that does not follow the place of the folder. It was not applied. */
export class LinkOutOfOrder extends Error {
  override readonly name = 'LinkOutOfOrder'
}

/** The folder holds something that the chain does not: it has to be joined anew from a base. */
export class TwoHistories extends Error {
  override readonly name = 'TwoHistories'
}

/**
 * The database of a node as a part of a cluster. What the leader writes is marked in the transaction that writes it, by the
 * database itself, whoever writes. Each call that changes something is one transaction, or several that can be repeated.
 *
 * One thread at a time may use it; others write to the same database meanwhile.
 */
export interface Replica {
  /** Of the database, as a link names it. One of another schema is not applied. */
  readonly schema: number

  /** `null`: this folder belongs to no cluster. */
  position(): ReplicaPosition | null

  /** Whether it holds what is in no link. Then it follows no other leader: it is joined anew. */
  hasUnlinked(): boolean

  /** From now on, what changes here is marked. What is there is what the first base holds. */
  found(cluster: string): void

  /**
   * Makes a copy of the leader's database a follower's. A copy may be joined from once `linkedTo` has reached the end of its
   * ledger, by a link that was made (`nextLink`) after the copy: before that, it holds what the chain may never get.
   */
  join(): void

  /** Notes the run of the lease under which this folder leads from now on; `null`: it gives the lease back. */
  leadAs(run: string | null): void

  /** Of the last entry here, in a link or not. */
  lastSequence(): number

  /** Of batches that are in no link yet: what `take` leaves out. */
  takenIds(): string[]

  /**
   * Commits batches of a known format. What came for removed accounts is skipped. So are batches of the last ten minutes: one
   * whose link is stored was sent again, and leaves the intake with the next link.
   */
  commit(batches: readonly IntakeBatch[], now: number): void

  /**
   * What is not in a link yet: entries up to the processed position, and rows of the state. A large one is cut, and what is
   * left comes with the next. `null`: there is nothing. `base`: something has changed that no link carries, such as an account
   * that moved in. From then on a base has to, for which this waits.
   *
   * Call it once the answer to the link before is known (`linked`), or the chain shows that it was not stored and never will
   * be: its content is then in this one again.
   */
  nextLink(): LinkContent | 'base' | null

  /**
   * Says that the folder as it is now will be in the chain as a base, by a link of this id. Copy it before anything else is
   * committed: who joins from the copy knows by the id that it has what the link stands for.
   *
   * @returns `null`: something is not processed yet, and nothing has changed. Call again
   */
  proposeBase(id: string): BaseContent | null

  /** A link will be sent under this id. @param hasContent whether it contains what `nextLink` returned last */
  propose(id: string, hasContent: boolean): void

  /** The proposed link is stored at this place. */
  linked(place: LinkPlace): void

  /**
   * Removes what the link says the leader has removed, once everything before is processed; then applies it, whole or not at
   * all. It may be interrupted and repeated. A link that was applied before changes nothing.
   *
   * @throws LinkOutOfOrder, TwoHistories
   */
  apply(link: Link): Promise<void>

  /**
   * Removes the rows of accounts that links say are removed. Call it after links were applied, and at the start; it may be
   * interrupted and repeated.
   */
  carryOut(): Promise<void>

  /** Sums up the derived tables as they are now. `null`: something is not linked, or not processed yet. */
  sums(): Promise<Sums> | null

  /** From now on, processing makes no deliveries here: the leader makes them. */
  stopDelivering(): void

  /**
   * Call once this folder contains the whole chain and leads. The leader before has made the deliveries of all entries that
   * are there.
   *
   * @returns `false`: they are not processed yet, and nothing has changed. Call again
   */
  startDelivering(): boolean

  close(): void
}
