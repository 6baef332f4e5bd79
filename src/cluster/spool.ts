import type { ChallengeSpend } from '../capture/write-batch.ts'
import type { KeptPlace } from './cluster-log.ts'

/** Bytes that a node keeps at most. Beyond that, captures get 503. */
export const spoolBytesMax = 1024 * 1024 * 1024
/** Characters of JSON that leave the spool together. One round may have more. */
export const pieceCharactersMax = 256 * 1024

/** What a committer stores together. */
export interface Round {
  /** UUID. */
  id: string
  entries: number
  spends: ChallengeSpend[]
  /** Batches in JSON, separated by commas. */
  json: string
}

/** Rounds of one file that follow each other. */
export interface KeptPiece extends KeptPlace {
  rounds: Round[]
}

/**
 * Where a node keeps rounds on its own disk while the log of its cluster is away.
 *
 * Guarantees: a round whose `keep` has resolved is on disk, and comes out of `next` after any kill, in order, until it is
 * let go. One whose `keep` has rejected does not come out, unless the disk fails in between. A damaged place is passed by:
 * what is behind it comes out, and the file stays.
 */
export interface NodeSpool {
  /** Of all files. */
  readonly bytes: number
  /** @throws when the disk is full or fails, or the spool has all that it may */
  keep(round: Round): Promise<void>
  /** Writes and syncs something without effect. @throws as `keep` */
  prove(): Promise<void>
  /**
   * What comes first in the oldest file. Without rounds: the file is at its end.
   *
   * @returns `null`: there is no file. @throws OperatorError when the cluster's secret does not open it
   */
  next(): Promise<KeptPiece | null>
  /** `next` begins there from now on. */
  moveTo(place: { file: string; at: number }): void
  /** Lets a file go that is at its end. `false`: it has got another round meanwhile. */
  letGo(file: string): Promise<boolean>
  /** Spends in what is kept that have not expired. */
  spends(now: number): Promise<ChallengeSpend[]>
  close(): Promise<void>
}
