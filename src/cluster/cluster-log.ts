import type { ChallengeSpend } from '../capture/write-batch.ts'
import { OperatorError } from '../lib/operator-error.ts'

/** Bytes of a batch's body. */
export const batchBytesMax = 1024 * 1024
/** Bytes of a link's body, so that one try is enough for it. What has more needs a new base. */
export const linkBytesMax = 16 * 1024 * 1024
/** What `take` and `links` return at once: so many bytes, or a single one that is larger. */
export const readBytesMax = 4 * 1024 * 1024
/** Batches that `take` returns at most. */
export const takenBatchesMax = 1000
/** For all tries of one request together, so that whoever waits for it hears within 5 s. */
export const patienceMs = 4000
/** How long a lease lasts unless it is renewed. */
export const leaseMs = 8000

/** The log did not answer in time: what was asked of it is done, not done, or will yet be. Ask again. */
export class ClusterLogAway extends Error {
  override readonly name = 'ClusterLogAway'
}

/** The database has no tables of a cluster: no box has begun one there. */
export class NoClusterYet extends OperatorError {
  constructor() {
    super(
      'The database of [cluster] url holds no cluster yet. A box begins one when it is served with this [cluster] in its capture.toml.',
    )
  }
}

/** What a node took in, on its way to the leader. */
export interface IntakeBatch {
  /** UUID; a repeat has the same. */
  id: string
  /** The name of the node that took it in. */
  node: string
  /** Of the body: a leader leaves a format alone that it does not know. */
  format: number
  entries: number
  body: Uint8Array
}

/** A piece of a file in which a node kept batches while the log was away: from one byte to another. */
export interface KeptPlace {
  /** UUID. */
  file: string
  from: number
  to: number
}

/**
 * `rows`: what the leader committed; `term`: a leader begins; `base`: empty folders can join (base-store.ts); `rebase`: so they
 * can, and all others have to, since no link has what the base has; `check`: nodes compare what they derived (check.ts).
 */
export type LinkKind = 'rows' | 'term' | 'base' | 'rebase' | 'check'

/** A place in the chain. */
export interface LinkPlace {
  /** From 1 on, without gaps. */
  number: number
  /** UUID. */
  id: string
}

/** What a leader adds to the history that all nodes share. */
export interface Link extends LinkPlace {
  /** The id of the link before; `null`: it is the first. */
  previous: string | null
  /** Of the leader that made it. */
  term: number
  /** Of the database that the rows are for. */
  schema: number
  kind: LinkKind
  /** The ids of the batches that it contains. */
  taken: string[]
  body: Uint8Array
}

/** A node that would lead. */
export interface LeaseCandidate {
  node: string
  /** UUID, drawn at each start of the process: the same node after a restart is another candidate. */
  run: string
  /** Where other nodes reach it. */
  address: string
  /** What they recognize it by; empty: it did not prove to know the cluster's secret. */
  certificate: string
  /** The run that led from the same folder before, which has ended: its lease is taken at once. */
  succeeds?: string | null
}

export interface Lease extends Omit<LeaseCandidate, 'succeeds'> {
  /** Rises with each change of the leader, from 1 on. */
  term: number
  /** Negative: it has run out, and anybody may take it. */
  leftMs: number
  /** The node that is to lead next: for as long as a lease lasts, only it gets this one. `null`: whoever asks first. */
  nominee: string | null
  /** The cluster is over: this node has become a single box, and nobody leads again. */
  hasEnded: boolean
}

/**
 * What a node says that it does. `paused`: the cluster is for another version; `joins`: it fetches a copy of the leader's
 * database, since its own is not like it; `astray`: the chain does not go on from its folder, and it joins anew.
 */
export type NodeState = 'follows' | 'paused' | 'joins' | 'astray'

/** What a node says of itself. */
export interface NodeNews {
  name: string
  /** As in `LeaseCandidate`. */
  address: string
  certificate: string
  /** Of the program. */
  version: string
  /** Of the database. */
  schema: number
  /** The number of the last link that it contains; 0: none. */
  applied: number
  /** The lease says who leads. */
  state: NodeState
  /** Whether its configuration lets it lead. */
  mayLead: boolean
}

export interface SeenNode extends NodeNews {
  /** By how much its clock is ahead of the database's, and the time of one way less. */
  skewMs: number
  /** When it said so, by the database's clock: epoch milliseconds, and how long ago. */
  seenAt: number
  silentMs: number
}

export interface ClusterOverview {
  /** In order of their names. */
  nodes: SeenNode[]
  /** The number of the chain's last link; 0: there is none. */
  end: number
  /** How long the oldest batch of the intake has waited; `null`: it is empty. */
  oldestWaitsMs: number | null
}

/** A node, which says what it is every 2 s, is silent after that. */
export const silentMsMax = 10_000
/** A node that has said nothing for so long is forgotten. */
export const nodeKeptMs = 7 * 24 * 60 * 60_000

/**
 * What the nodes of a cluster share: the intake, where each of them leaves its batches; the chain of links, which the
 * leader makes of them; and the lease, which says who leads (docs/decisions/0080).
 *
 * Guarantees:
 *
 * 1. A batch is in the intake until the link that contains it is in the chain, never in both and never in neither.
 * 2. No two links have the same number, and each names the one before. A leader whose term is over adds none, whatever
 *    any clock says.
 * 3. Everything may be repeated: a repeated batch, link or candidacy has the effect and the answer of the first. A batch
 *    repeated after its link comes back into the intake: who takes it recognizes the id, which was in a link of the last
 *    minutes (`Link.taken`).
 * 4. What a node kept is stored once however late it is repeated: the log remembers how far it has each file (`putKept`).
 *
 * What has been resolved is as durable as the database behind it. Everything settles within 5 s. @throws ClusterLogAway
 */
export interface ClusterLog {
  /**
   * Leaves a batch for the leader, and spends challenges with it: both or neither.
   *
   * @param spends the answer says of each whether the challenge was unspent
   * @param withinMs gives up after so long
   */
  put(batch: IntakeBatch, spends: readonly ChallengeSpend[], withinMs: number): Promise<boolean[]>
  /**
   * As `put`, for what a node kept. It is stored if the log has the file up to where the piece begins, and not otherwise.
   *
   * @returns how far the log has the file now, from 0 on: the next piece begins there
   */
  putKept(batch: IntakeBatch, spends: readonly ChallengeSpend[], place: KeptPlace): Promise<number>
  /** The node has the file no more: nothing of it is stored again, and the log forgets it later. */
  forgetKept(file: string): Promise<void>
  /**
   * The intake, oldest first, as far as it fits. There is no cursor: a batch that was begun earlier may be committed
   * later.
   *
   * @param except the ids of batches that the caller already has
   */
  take(except: readonly string[]): Promise<IntakeBatch[]>
  /**
   * Adds a link and removes its batches from the intake: both or neither.
   *
   * @param run of the leader
   * @returns `fenced`: another leads, or the term is over. `elsewhere`: the chain does not end at the link's `previous`
   */
  link(link: Link, run: string): Promise<'stored' | 'fenced' | 'elsewhere'>
  /**
   * The links after a place, as far as they fit; none: it is the end.
   *
   * @param after `null`: from the first on
   * @returns `elsewhere`: this chain does not go on from there, since it was cut, or the database has lost its end
   */
  links(after: LinkPlace | null): Promise<Link[] | 'elsewhere'>
  /** The newest link of kind `base` or `rebase`; `null`: there is none. */
  base(): Promise<Link | null>
  /** Removes links that are older and have no higher number, except for the chain's end. */
  forget(through: number, olderThanMs: number): Promise<void>
  /**
   * Takes the lease if nobody has it, renews it if the candidate has it, and returns what is. The candidate leads if the
   * lease names its run. The database's clock decides; whoever renews counts from when it asked.
   *
   * @param candidate `null`: only looks
   * @returns `null`: nobody has led yet
   */
  lease(candidate: LeaseCandidate | null): Promise<Lease | null>
  /** Gives the lease back, if the run has it: anybody may take it at once. Call it once this run leads no longer. */
  release(run: string): Promise<void>
  /** Says who is to lead next, as the leader learns when it renews its lease. `null`: nobody in particular. */
  nominate(node: string | null): Promise<void>
  /** Ends the cluster, if this run has the lease. Its node is a single box from now on. @returns whether it has */
  end(run: string): Promise<boolean>
  /** Removes what a node has said of itself. */
  dismiss(node: string): Promise<void>
  /** Says what this node is, in place of what was said under its name before. @returns the certificate of that; `null`: nothing was */
  announce(node: NodeNews): Promise<string | null>
  overview(): Promise<ClusterOverview>
}
