import type { IntakeBatch, Link, LinkPlace } from './cluster-log.ts'

/** Where this folder is in the chain. */
export interface ReplicaPosition {
  /** The cluster's name: the id of the box that founded it. */
  cluster: string
  /** The last link that this folder contains; `null`: there was none yet. */
  place: LinkPlace | null
  /** The id of the link that was sent last and of which no answer is known; `null`: none. */
  proposed: string | null
}

/** What a new link contains. */
export interface LinkContent {
  body: Uint8Array
  /** The ids of the batches whose every effect is in it. */
  taken: string[]
}

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

  /** From now on, what changes here is marked. What is there is what the first base holds. */
  found(cluster: string): void

  /**
   * Makes a copy of the leader's database a follower's. A copy may be joined from once a link is in the chain that was made
   * (`nextLink`) after the copy: before that, it holds what the chain may never get.
   */
  join(): void

  /** Of the last ten minutes, in a link or not: what `take` leaves out, and by which a repeat is recognized. */
  takenIds(): string[]

  /** Commits batches of a known format. Known ids are skipped, and so is what came for removed accounts. */
  commit(batches: readonly IntakeBatch[], now: number): void

  /**
   * What is not in a link yet: entries up to the processed position, and rows of the state. A large one is cut, and what is
   * left comes with the next. `null`: there is nothing.
   *
   * Call it once the answer to the link before is known (`linked`), or the chain shows that it was not stored and never will
   * be: its content is then in this one again.
   */
  nextLink(): LinkContent | null

  /** The link made last will be sent under this id. */
  propose(id: string): void

  /** The proposed link is stored at this place. */
  linked(place: LinkPlace): void

  /**
   * Applies a link, whole or not at all. One that was applied before changes nothing.
   *
   * @throws LinkOutOfOrder, TwoHistories
   */
  apply(link: Link): void

  /**
   * Carries out what links announce and each node does itself: removes the rows of removed accounts, and whom the leader
   * has erased. Call it after links were applied, and at the start; it may be interrupted and repeated.
   */
  carryOut(): Promise<void>

  /** From now on, processing makes no deliveries here: the leader makes them. */
  stopDelivering(): void

  /** Call once this folder contains the whole chain and leads. Of entries applied until now, the leader before has made the deliveries. */
  startDelivering(): void

  close(): void
}
