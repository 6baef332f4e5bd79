import type { Submission } from '../../ledger/entry.ts'
import { timestamp } from '../../lib/quantities.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { printable } from '../output/printable.ts'
import type { Layout, Tone } from '../output/style.ts'
import { fittingTable } from '../output/table.ts'
import { hung } from '../output/wrap.ts'

interface Shown extends Layout {
  /** The sentence for an empty list. */
  empty: string
}

/** One line per submission, or several in a narrow terminal, so that ids are never cut. */
export function submissionRows(records: SubmissionRecord[], { style, columns, empty }: Shown): string {
  const rows = records.map(textsOf)
  if (rows.length === 0) return `${empty}\n`
  const table = {
    headers: ['Received', 'Id', 'Form', 'E-mail', 'Status', 'Note'],
    rows: rows.map(({ received, id, form, email, status, note }) => [received, id, form, email, status, note]),
    empty,
    whole: ['Received', 'Id'],
  }
  return fittingTable(table, style, columns) ?? rows.map((row) => paragraph(row, { style, columns })).join('')
}

interface Toned {
  text: string
  tone: Tone
}

interface Texts {
  received: string
  id: string
  form: string
  email: string | null
  status: Toned
  note: string | Toned
}

const textsOf = (record: SubmissionRecord): Texts => ({
  received: timestamp(Date.parse(record.receivedAt)),
  id: record.submissionId,
  form: record.formId,
  email: record.identity.email,
  status: record.status === 'accepted' ? { text: 'accepted', tone: 'good' } : { text: 'refused', tone: 'bad' },
  note: noteOf(record),
})

function noteOf({ status, refusedFor, duplicateOf }: SubmissionRecord): string | Toned {
  if (status === 'refused') return refusedForWords(refusedFor)
  const notes = [refusedFor === null ? '' : 'released', duplicateOf === null ? '' : 'likely duplicate']
  return { text: notes.filter((text) => text !== '').join(', '), tone: 'doubtful' }
}

function paragraph({ received, id, form, email, status, note }: Texts, { style, columns }: Layout): string {
  const below = [id, email ?? '', typeof note === 'string' ? note : note.text]
    .filter((text) => text !== '')
    .map((text) => `${hung('  ', printable(text), columns)}\n`)
  return `${received}  ${style(status.tone, status.text)}  ${printable(form)}\n${below.join('')}`
}

/** Why a submission was refused, in words. */
export const refusedForWords = (refusedFor: Submission['refusedFor']): string =>
  refusedFor === null ? 'refused' : reasons[refusedFor]

const reasons: Record<NonNullable<Submission['refusedFor']>, string> = {
  honeypot: 'the hidden field was filled',
  bot_check: 'the bot check was missing or did not verify',
}
