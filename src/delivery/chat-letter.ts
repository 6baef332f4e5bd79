import { Locale } from '../language/locale.ts'
import { capturedLine, cutText, type Lead, type LeadRow, leadView } from './lead.ts'

/** The content of a chat message, before the chat's own notation. */
export interface ChatLetter {
  /** `Contact: Ada Lovelace` */
  title: string
  accountName: string
  /** What the visitor wrote, on one line; `null`: nothing longer than a word or two. */
  words: string | null
  /** What the reader has to know first. */
  notes: readonly string[]
  rows: readonly LeadRow[]
  /** `22 November 2026, 09:15 CET · go.acme.example/launch · google / organic` */
  facts: string
  link: ChatLink | null
}

/** Where the console shows the lead. */
export interface ChatLink {
  text: string
  url: string
}

/** How much of a lead a message shows. The first of a chat's sizes that fits its limits is used. */
export interface ChatSize {
  rows: number
  /** Per value. */
  characters: number
  /** Per value; further lines are joined to the last one. */
  lines: number
}

const nameCharactersMax = 80

function chatLetter(lead: Lead, size: ChatSize): ChatLetter {
  const locale = new Locale(lead.language)
  const { leadMail } = locale.texts
  const { who, words, notes, rows: all, rowsLeftOut, facts, link, isTest } = leadView(lead)
  const formName = capturedLine(lead.formName, nameCharactersMax) || lead.formId
  const rows = all
    .slice(0, size.rows)
    .map(({ label, value }) => ({ label, value: cutText(withinLines(value, size.lines), size.characters) }))
  const more = rowsLeftOut + all.length - rows.length
  return {
    title: `${isTest ? `${leadMail.testMark} ` : ''}${formName}: ${who ?? leadMail.newMessage}`,
    accountName: capturedLine(lead.accountName, nameCharactersMax) || lead.handle,
    words,
    notes,
    rows: more === 0 ? rows : [...rows, { label: '…', value: locale.plural(leadMail.moreFields, more) }],
    facts: facts.map(({ value }) => value).join(' · '),
    link: link === null ? null : { text: leadMail.open, url: link },
  }
}

function withinLines(value: string, linesMax: number): string {
  const lines = value.split('\n')
  return [...lines.slice(0, linesMax - 1), lines.slice(linesMax - 1).join(' ')].join('\n').trimEnd()
}

/**
 * The message of the largest size that fits.
 *
 * @param sizes largest first; the last one fits whatever the content
 */
export function fitted<Message>(
  lead: Lead,
  sizes: readonly ChatSize[],
  { make, fits }: { make: (letter: ChatLetter) => Message; fits: (message: Message) => boolean },
): Message {
  for (const size of sizes) {
    const message = make(chatLetter(lead, size))
    if (fits(message)) return message
  }
  throw new RangeError('Not even the smallest message fits')
}
