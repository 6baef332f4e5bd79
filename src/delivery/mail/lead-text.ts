import { plural } from '../../lib/quantities.ts'
import type { LeadView } from '../lead-view.ts'
import type { LeadLetter } from './lead-letter.ts'

/** The plain text of a mail about leads. Visitors' text is indented, so that none of it looks like a label. */
export function leadText(letter: LeadLetter): string {
  const { accountName, formName, headline, leads, leadsLeftOut, listCommand, answer, reason } = letter
  const isOne = leads.length === 1 && leadsLeftOut === 0
  const parts = leads.map((lead, index) => (isOne ? leadPart(lead) : `${numbered(lead, index)}\n\n${leadPart(lead)}`))
  const rest = leadsLeftOut === 0 ? [] : [`… and ${leadsLeftOut} more. All of them:\n\n  ${listCommand}`]
  return [
    headline,
    `${accountName} · ${formName}`,
    ...parts,
    ...rest,
    [rule, answer, reason].filter((line) => line !== null).join('\n'),
    '',
  ].join('\n\n')
}

const rule = '-'.repeat(40)

const numbered = ({ who }: LeadView, index: number): string => `${rule}\n${index + 1}. ${who ?? 'A visitor'}`

function leadPart(lead: LeadView): string {
  const rows = lead.rows.map(({ label, value }) => `${label}\n${indented(value)}`)
  const more = lead.rowsLeftOut === 0 ? [] : [`… and ${plural(lead.rowsLeftOut, 'more field')}.`]
  const facts = [
    `Received: ${lead.at}`,
    ...(lead.page === null ? [] : [`Page: ${lead.page}`]),
    ...(lead.origin === null ? [] : [`Source: ${lead.origin}`]),
    `In Capture: ${lead.command}`,
  ]
  return [...notes(lead), ...rows, ...more, facts.join('\n')].join('\n\n')
}

/** What the reader has to know first. */
export const notes = ({ isTest, isReleased }: LeadView): string[] => [
  ...(isTest ? ['This is a test. Nobody sent it.'] : []),
  ...(isReleased ? ['This was held back as sent by a program, and released by hand.'] : []),
]

const indented = (value: string): string =>
  value
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
