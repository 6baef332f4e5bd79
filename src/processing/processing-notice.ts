import type { RetentionNotice } from './retention-notice.ts'

/** What operators should know about processing. Reasons name errors and places in the sources, and quote nothing. */
export type ProcessingNotice =
  /** A step failed through no fault of an entry, and is tried again. */
  | { processingFailed: string }
  /** An entry could not be processed. */
  | { setAside: string }
  | { retention: RetentionNotice }
