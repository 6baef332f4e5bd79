import type { LeftOut } from '../../ledger/ledger.ts'

/** A notice that the result of an operation is incomplete, and why. */
export type RecordNotice =
  /** The number of recent records that still wait for processing. */
  | { kind: 'waiting'; records: number }
  /** Recent records could not be processed. The reason contains no captured data. */
  | { kind: 'unprocessed'; reason: string }
  /** The record cannot be read or does not match its checksum. */
  | { kind: 'unreadable'; leftOut: LeftOut }
  /** The record is readable but its derived data is not. */
  | { kind: 'unknown'; id: string }

export type OnRecordNotice = (notice: RecordNotice) => void

/** Adapts one callback to those of the record readers. */
export const readingNotices = (onNotice: OnRecordNotice) => ({
  onUnreadable: (leftOut: LeftOut) => onNotice({ kind: 'unreadable', leftOut }),
  onUnknown: (id: string) => onNotice({ kind: 'unknown', id }),
})
