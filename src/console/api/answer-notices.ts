import { Type } from '@sinclair/typebox'
import { plural } from '../../lib/quantities.ts'
import { noticeWords } from '../../operations/record/notice-words.ts'
import type { RecordNotice } from '../../operations/record/record-notice.ts'

/** An answer names so many; a damaged disk may have thousands. */
const namedMax = 20

/** What an answer lacks, in the words of the commands. */
export class AnswerNotices {
  private readonly named: string[] = []
  private others = 0

  readonly onNotice = (notice: RecordNotice): void => {
    if (this.named.length < namedMax) this.named.push(noticeWords(notice))
    else this.others++
  }

  words(): string[] {
    return this.others === 0 ? this.named : [...this.named, `And ${plural(this.others, 'more record')}.`]
  }

  /** Beside CSV, which has no room for words: how many there are. */
  headers(): Record<string, string> {
    return this.isEmpty() ? {} : { 'x-capture-notices': `${this.named.length + this.others}` }
  }

  /** A member of the answer; none if it is whole. */
  member(): { notices?: string[] } {
    return this.isEmpty() ? {} : { notices: this.words() }
  }

  private isEmpty(): boolean {
    return this.named.length === 0
  }
}

/** Its schema. */
export const noticesMember = {
  notices: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What is missing, such as records that cannot be read; absent: nothing is',
    }),
  ),
}
