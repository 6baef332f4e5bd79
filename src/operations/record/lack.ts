import type { OnRecordNotice, RecordNotice } from './record-notice.ts'

/** Hears of records that a result lacks, or that are not what they were. */
export interface Lack {
  onNotice: OnRecordNotice
  isWhole(): boolean
}

/** Whether the result lacks something for good: what waits is there a moment later. */
export const isLack = ({ kind }: RecordNotice): boolean => kind === 'unreadable' || kind === 'unknown'

/** Whoever prints the result says so once it has ended: a command by its exit status. */
export function watchedLack(): Lack {
  let isWhole = true
  return {
    onNotice(notice) {
      if (isLack(notice)) isWhole = false
    },
    isWhole: () => isWhole,
  }
}
