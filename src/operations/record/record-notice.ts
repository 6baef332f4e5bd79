import type { LeftOut } from '../../ledger/ledger.ts'

/** What an operation tells of records while it runs: what it answers with is then not all there is. */
export type RecordNotice =
  /** Later records, so many, still wait to be processed. */
  | { kind: 'waiting'; records: number }
  /** What was captured last could not be processed. The reason holds nothing that was captured. */
  | { kind: 'unprocessed'; reason: string }
  /** Cannot be read, or is not as it was captured. */
  | { kind: 'unreadable'; leftOut: LeftOut }
  /** Of the record only what was captured can be read, and nothing that was made of it. */
  | { kind: 'unknown'; id: string }

export type OnRecordNotice = (notice: RecordNotice) => void

/** The callbacks of those who read records, as one. */
export const readingNotices = (onNotice: OnRecordNotice) => ({
  onUnreadable: (leftOut: LeftOut) => onNotice({ kind: 'unreadable', leftOut }),
  onUnknown: (id: string) => onNotice({ kind: 'unknown', id }),
})
