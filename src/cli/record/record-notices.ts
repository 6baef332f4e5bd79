import { noticeWords, type OnRecordNotice } from '../../operations/record/catch-up.ts'
import { printable } from '../output/text.ts'
import type { Session } from '../session.ts'

/** Reports on stderr, as it happens, what a command's output lacks. */
export const noticesTo =
  (err: Session['err']): OnRecordNotice =>
  (notice) =>
    err.write(`${printable(noticeWords(notice))}\n`)
