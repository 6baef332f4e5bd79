import type { Log } from '../../lib/log.ts'
import { clockDoubt, waitText } from '../../operations/retention/retention-words.ts'
import type { RetentionNotice } from '../../processing/retention-notice.ts'

/** Logs deletions, one line per pass, and each reason to wait once. */
export function retentionNotices(log: Pick<Log, 'info' | 'warn'>): (notice: RetentionNotice) => void {
  return (notice) => {
    if ('deleted' in notice) {
      log.info('Retention deleted expired records.', { ...notice.deleted })
    } else if ('waits' in notice) {
      const { account, class: name, due, kept } = notice.waits
      const { found, advice } = waitText(account, notice.waits)
      log.warn(`${found} ${advice}`, { account, class: name, due, kept })
    } else if ('clockDoubted' in notice) {
      const { found, advice } = clockDoubt(notice.clockDoubted)
      log.warn(`${found} ${advice}`)
    } else {
      log.info('The clock is plausible again: retention continues.')
    }
  }
}
