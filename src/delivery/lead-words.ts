import { count } from '../lib/quantities.ts'

/** One text in the singular and the plural. */
interface Plural {
  one: string
  other: string
}

/** What mails and chats say around a lead (docs/mail.md, docs/chat.md). */
const leadMail = {
  wrote: '{who} wrote to you',
  visitor: 'A visitor',
  newMessage: 'a new message',
  newMessages: { one: '{count} new message', other: '{count} new messages' },
  answer: 'Answer this mail to write to {who}.',
  answerVisitor: 'Answer this mail to write to the visitor.',
  noAddress: 'The visitor left no address to answer.',
  /** Before the subject of a test. */
  testMark: '[Test]',
  test: 'This is a test. Nobody sent it.',
  released: 'This was held back as sent by a program, and released by hand.',
  backfilled: 'This came before this delivery was set up, and is sent later.',
  moreFields: { one: 'and {count} more field', other: 'and {count} more fields' },
  /** Leads that did not fit into this mail. */
  further: {
    one: '{count} more message follows in the next mail.',
    other: '{count} more messages follow in the next mails.',
  },
  received: 'Received',
  page: 'Page',
  source: 'Source',
  /** Before their number. */
  files: 'Files',
  direct: 'direct',
  campaign: 'campaign {name}',
  /** In place of a field's name, where it has none. */
  nameless: '(no name)',
  /** The link to the console. */
  open: 'Open this message',
  sent: 'Sent from {domain}, delivery “{name}”.',
  /** Only where the account wants it. */
  credit: 'Sent with Capture.',
}

/** A text with its gaps, such as `{count}`, filled. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap)

/** What is written around a lead, and how numbers and times are written there. */
export class EnglishWords {
  readonly texts = { leadMail }

  plural({ one, other }: Plural, number: number): string {
    return filled(number === 1 ? one : other, { count: count(number) })
  }

  /** An instant in a time zone: `22 November 2026, 09:15 CET`. */
  instant(at: number, timeZone: string): string {
    const date = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long' })
    const time = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hour: '2-digit', minute: '2-digit' },
      timeZoneName: 'short',
    })
    return `${date.format(at)}, ${time.format(at)}`
  }
}
