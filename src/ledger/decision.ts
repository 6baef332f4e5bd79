import { type Static, Type } from '@sinclair/typebox'
import { flag, oneOf, text, textOrNull, texts } from '../lib/schema.ts'
import type { Entry } from './entry.ts'

const release = Type.Object({})
const refusal = Type.Object({})
const confirmation = Type.Object({})

const erasure = Type.Object({
  /** The same in all entries of one erasure: UUIDv7. */
  erasureId: text,
  /** `null`: no person had the address; only records contained it. */
  personId: textOrNull,
  /** `records`: these alone, and not whatever else their sender left. */
  of: oneOf(['person', 'records']),
  /** Ids of the records that were deleted with this entry: at most `erasedIdsMax`. */
  records: texts,
  /** Whether this entry completes the erasure. */
  isEnd: flag,
})

/** What the record of each kind holds, in the order in which it is stored. */
export const decisionSchemas = { release, refusal, erasure, confirmation }

interface DecisionBase {
  id: string
  accountId: string
  /** When it was decided, epoch milliseconds. */
  receivedAt: number
}

/** Makes a submission in quarantine count. Its `id` is the submission's; of several decisions about one, the latest holds. */
export interface ReleaseEntry extends DecisionBase {
  kind: 'release'
}

/** Takes a submission that counts into quarantine. Its `id` is the submission's. */
export interface RefusalEntry extends DecisionBase {
  kind: 'refusal'
}

/** The visitor confirmed a submission by mail. Its `id` is the submission's, because a submission is confirmed once. */
export interface ConfirmationEntry extends DecisionBase {
  kind: 'confirmation'
}

/** What an erasure deleted. A large or interrupted erasure has several entries. */
export interface ErasureEntry extends DecisionBase, Static<typeof erasure> {
  kind: 'erasure'
}

/** An entry of 40 KB. */
export const erasedIdsMax = 1000

/**
 * A decision about records, of an operator or of the visitor who sent them. It is stored in the ledger, so that reading the ledger
 * from the beginning gives the same result. It names records by id and contains nothing of them.
 */
export type Decision = ReleaseEntry | RefusalEntry | ErasureEntry | ConfirmationEntry
export type DecisionKind = Decision['kind']

/** Every entry of the ledger. */
export type LedgerEntry = Entry | Decision

export const isDecision = (entry: LedgerEntry): entry is Decision => entry.kind in decisionSchemas
