import type { OnRecordNotice } from './record-notice.ts'

/** Hears of records that a result lacks, or that are not what they were. */
export interface Lack {
  onNotice: OnRecordNotice
  isWhole(): boolean
}

/** Whoever prints the result says so once it has ended: a command by its exit status. */
export function watchedLack(): Lack {
  let isWhole = true
  return {
    onNotice({ kind }) {
      if (kind === 'unreadable' || kind === 'unknown') isWhole = false
    },
    isWhole: () => isWhole,
  }
}
