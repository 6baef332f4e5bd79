import { plural } from '../lib/quantities.ts'
import { capturedLine, cutText, type Lead, type LeadRow, type LeadView, leadView } from './lead.ts'

/** The content of a chat message, before the chat's own notation. */
export interface ChatLetter {
  /** `Contact: Ada Lovelace`, or `Contact: 12 new messages`. */
  title: string
  accountName: string
  leads: readonly ChatLead[]
  /** `… and 12 more: capture export …`; `null`: all leads are shown. */
  more: string | null
}

export interface ChatLead {
  /** `null`: the message's title already says it. */
  title: string | null
  /** What the visitor wrote, on one line; `null`: nothing longer than a word or two. */
  words: string | null
  /** What the reader has to know first. */
  notes: readonly string[]
  rows: readonly LeadRow[]
  /** `22 November 2026, 09:15 CET · go.acme.example/launch · google / organic`. */
  facts: string
  command: string
}

/** How much of the leads a message shows. The first of a chat's sizes that fits its limits is used. */
export interface ChatSize {
  leads: number
  rows: number
  /** Per value. */
  characters: number
  /** Per value; further lines are joined to the last one. */
  lines: number
}

const nameCharactersMax = 80

/** @param leads at least one, of one form, in the order of receipt */
function chatLetter(leads: readonly Lead[], size: ChatSize): ChatLetter {
  const [first] = leads
  if (first === undefined) throw new TypeError('A message of no leads')
  const isOne = leads.length === 1
  const shown = leads.slice(0, size.leads).map((lead) => leadView(lead))
  const formName = capturedLine(first.formName, nameCharactersMax) || first.formId
  const mark = shown[0]?.isTest === true ? '[Test] ' : ''
  const subject = isOne ? (shown[0]?.who ?? 'a new message') : plural(leads.length, 'new message')
  const leftOut = leads.length - shown.length
  const since = new Date(first.receivedAt).toISOString()
  return {
    title: `${mark}${formName}: ${subject}`,
    accountName: capturedLine(first.accountName, nameCharactersMax) || first.handle,
    leads: shown.map((view, index) => chatLead(view, isOne ? null : index + 1, size)),
    more: leftOut === 0 ? null : `… and ${leftOut} more: capture export ${first.handle} submissions --since ${since}`,
  }
}

function chatLead(view: LeadView, number: number | null, size: ChatSize): ChatLead {
  const rows = view.rows
    .slice(0, size.rows)
    .map(({ label, value }) => ({ label, value: cutText(withinLines(value, size.lines), size.characters) }))
  const rowsLeftOut = view.rowsLeftOut + view.rows.length - rows.length
  return {
    title: number === null ? null : `${number}. ${view.who ?? 'A visitor'}`,
    words: view.words,
    notes: [
      ...(view.isTest ? ['This is a test. Nobody sent it.'] : []),
      ...(view.isReleased ? ['Held back as sent by a program, and released by hand.'] : []),
    ],
    rows: rowsLeftOut === 0 ? rows : [...rows, { label: '…', value: `and ${plural(rowsLeftOut, 'more field')}` }],
    facts: [view.at, view.page, view.origin].filter((fact) => fact !== null).join(' · '),
    command: view.command,
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
  leads: readonly Lead[],
  sizes: readonly ChatSize[],
  { make, fits }: { make: (letter: ChatLetter) => Message; fits: (message: Message) => boolean },
): Message {
  for (const size of sizes) {
    const message = make(chatLetter(leads, size))
    if (fits(message)) return message
  }
  throw new RangeError('Not even the smallest message fits')
}
