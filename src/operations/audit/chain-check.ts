/** A place in the chain of the audit log: a line's number and hash. */
export interface ChainPlace {
  seq: number
  hash: string
}

/** The first line that is not as it was written. */
export type ChainFault =
  | { fault: 'changed'; seq: number }
  | { fault: 'missing'; from: number; to: number }
  /** After the last line that was written, or before the first. */
  | { fault: 'inserted'; seq: number }
  /** The log's own note of its first and last line is gone. */
  | { fault: 'unanchored' }

/** What reading the chain has come to. */
export interface ChainCheck {
  /** Lines that were read. */
  lines: number
  /** The last line; `null`: the log has no line yet. */
  head: ChainPlace | null
  fault: ChainFault | null
}

/** What to do about a fault. */
export const chainFaultAdvice =
  'Find out who could write to the data folder. Compare with an exported copy or a backup from before'

/** The fault in one sentence. */
export function chainFaultWords(fault: ChainFault): string {
  switch (fault.fault) {
    case 'changed':
      return `Line ${fault.seq} is not as it was written, or stands in another line’s place.`
    case 'missing':
      return fault.from === fault.to
        ? `Line ${fault.from} was removed.`
        : `Lines ${fault.from} to ${fault.to} were removed.`
    case 'inserted':
      return `Line ${fault.seq} was inserted: the log never wrote a line with this number there.`
    case 'unanchored':
      return 'The note of where the log begins and ends is gone.'
  }
}
