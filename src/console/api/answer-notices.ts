import { Type } from '@sinclair/typebox'
import { noticeWords, type RecordNotice } from '../../operations/record/record-notice.ts'

/** What an answer lacks, in the words of the commands. */
export class AnswerNotices {
  private readonly words: string[] = []

  readonly onNotice = (notice: RecordNotice): void => {
    this.words.push(noticeWords(notice))
  }

  /** Beside CSV, which has no room for words: how many there are. */
  headers(): Record<string, string> {
    return this.words.length === 0 ? {} : { 'x-capture-notices': `${this.words.length}` }
  }

  /** A member of the answer; none if it is whole. */
  member(): { notices?: string[] } {
    return this.words.length === 0 ? {} : { notices: this.words }
  }
}

/** Its schema. */
export const noticesMember = {
  notices: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What is missing, such as records that are still being processed; absent: nothing is',
    }),
  ),
}
