import { plural } from '../../lib/quantities.ts'

/** A notice that the result of an operation is incomplete, and why. */
export type RecordNotice =
  /** The number of recent records that still wait for processing. */
  | { kind: 'waiting'; records: number }
  /** Recent records could not be processed. The reason contains no captured data. */
  | { kind: 'unprocessed'; reason: string }

export type OnRecordNotice = (notice: RecordNotice) => void

/** What a result lacks, in a sentence. */
export const noticeWords = (notice: RecordNotice): string =>
  notice.kind === 'waiting'
    ? `${plural(notice.records, 'recent record')} ${notice.records === 1 ? 'is' : 'are'} still being processed and not included.`
    : `The latest records could not be processed (${notice.reason}). \`capture doctor\` says more.`
