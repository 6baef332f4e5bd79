import { watchedLack } from '../../operations/record/lack.ts'
import { noticeWords } from '../../operations/record/notice-words.ts'
import type { RecordNotice } from '../../operations/record/record-notice.ts'
import type { ExitStatus } from '../command.ts'
import { printable } from '../output/printable.ts'
import type { Session } from '../session.ts'

/** Reports on stderr, as it happens, what a command's output lacks. */
export class RecordNotices {
  private readonly lack = watchedLack()

  constructor(private readonly err: Session['err']) {}

  readonly onNotice = (notice: RecordNotice): void => {
    this.lack.onNotice(notice)
    this.err.write(`${printable(noticeWords(notice))}\n`)
  }

  /** The error of a command that has printed the readable records. */
  exitStatus(): ExitStatus {
    return this.lack.isWhole() ? 0 : 1
  }
}
