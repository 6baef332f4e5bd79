import type { RetentionNotice } from './retention-notice.ts'

/** What an operator should hear of processing. Reasons name errors and places in the sources, and quote nothing. */
export type ProcessingNotice =
  /** A step failed, by no fault of an entry, and is tried again. */
  | { processingFailed: string }
  /** An entry could not be processed. */
  | { setAside: string }
  | { retention: RetentionNotice }
