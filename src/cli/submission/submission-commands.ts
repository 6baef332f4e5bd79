import { timestamp } from '../../lib/quantities.ts'
import type { ListedSubmissions, SubmissionsWanted } from '../../operations/submission/list-submissions.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { defineCommand } from '../command.ts'
import { typedInstant, typedLimit } from '../input/typed-values.ts'
import type { Layout, Tone } from '../output/style.ts'
import { fittingTable } from '../output/table.ts'
import { hung, printable } from '../output/text.ts'
import { noticesTo } from '../record/record-notices.ts'

const limitByDefault = 50
/** At most 16 MB, with 16 KB per record; `export` streams more. */
const limitMax = 1000

export const submissionList = defineCommand({
  name: 'submission list',
  summary: 'Lists the latest submissions of an account, or those in quarantine and why',
  details: `Latest first. What the hosted test page sent is left out, and with --refused what was released since.
--json prints an array of records as \`capture export\` does.
  capture submission list acme --refused --since 7d
  capture submission release acme 01a1fb9b-63c5-76c7-8301-36bd5b40ceed`,
  args: { account: { summary: "the account's handle" } },
  options: {
    refused: { summary: 'only those that were refused, as a bot or by an operator' },
    since: { value: 'T', summary: 'received at T or later: ISO 8601 (2026-11-20) or an age (7d)' },
    limit: { value: 'N', summary: `how many at most (default: ${limitByDefault}; ${limitMax} at most)` },
  },
  async run({ args, options }, session) {
    const wanted = {
      account: args.account,
      which: options.refused ? ('refused' as const) : ('all' as const),
      since: typedInstant('--since', options.since, session.clock.now()),
      limit: typedLimit(options.limit, limitMax, ' `capture export` prints all.') ?? limitByDefault,
    }
    const onNotice = noticesTo(session.err)
    const { listSubmissions } = await import('../../operations/submission/list-submissions.ts')
    const listed = await session.withBox((box) => listSubmissions(box, wanted, onNotice))
    return { json: listed.records, text: (layout) => asText(listed, { ...wanted, ...layout }) }
  },
})

interface Shown extends SubmissionsWanted, Layout {}

function asText({ account, records, advice }: ListedSubmissions, { style, columns, ...shown }: Shown): string {
  const table = submissionRows(records, { style, columns, empty: nothingWords(account, shown) })
  const more =
    records.length === shown.limit
      ? [`The latest ${shown.limit}; --limit N shows up to ${limitMax}, \`capture export\` all.`]
      : []
  const helps = advice.map(({ check, advice }) => `${check}: ${advice}`)
  if (helps.length > 0) helps.push(`To release one that a person sent: capture submission release ${account} ID`)
  const hints = [...more, ...helps].map((line) => `${hung('', printable(line), columns)}\n`)
  return hints.length === 0 ? table : `${table}\n${hints.join('')}`
}

function nothingWords(handle: string, { which, since }: SubmissionsWanted): string {
  const came = since === null ? '' : ` that came since ${timestamp(since)}`
  return which === 'refused'
    ? `No submission of ${handle}${came} waits in quarantine.`
    : `${handle} has no submissions ${since === null ? 'yet' : `since ${timestamp(since)}`}.`
}

/** One line per submission, or several in a narrow terminal, so that ids are never cut. @param shown.empty the sentence for an empty list */
export function submissionRows(
  records: SubmissionRecord[],
  { style, columns, empty }: Layout & { empty: string },
): string {
  if (records.length === 0) return `${empty}\n`
  const rows = records.map(rowOf)
  const headers = ['Received', 'Id', 'Form', 'Email', 'Status', 'Note']
  const table = { headers, rows: rows.map((row) => [...row]), empty, whole: ['Received', 'Id'] }
  return fittingTable(table, style, columns) ?? rows.map((row) => paragraph(row, { style, columns })).join('')
}

type Toned = { text: string; tone: Tone }
type Row = readonly [
  received: string,
  id: string,
  form: string,
  email: string | null,
  status: Toned,
  note: string | Toned,
]

const rowOf = (record: SubmissionRecord): Row => [
  timestamp(Date.parse(record.receivedAt)),
  record.submissionId,
  record.formId,
  record.identity.email,
  record.status === 'accepted' ? { text: 'accepted', tone: 'good' } : { text: 'refused', tone: 'bad' },
  noteOf(record),
]

function noteOf({ status, refusedFor, duplicateOf }: SubmissionRecord): string | Toned {
  if (status === 'refused') return refusedForWords(refusedFor)
  const notes = [refusedFor === null ? '' : 'released', duplicateOf === null ? '' : 'likely duplicate']
  return { text: notes.filter((text) => text !== '').join(', '), tone: 'doubtful' }
}

function paragraph([received, id, form, email, status, note]: Row, { style, columns }: Layout): string {
  const below = [id, email ?? '', typeof note === 'string' ? note : note.text]
    .filter((text) => text !== '')
    .map((text) => `${hung('  ', printable(text), columns)}\n`)
  return `${received}  ${style(status.tone, status.text)}  ${printable(form)}\n${below.join('')}`
}

/** Why a submission was refused, in words. */
export const refusedForWords = (refusedFor: SubmissionRecord['refusedFor']): string =>
  refusedFor === null ? 'refused' : reasons[refusedFor]

const reasons: Record<NonNullable<SubmissionRecord['refusedFor']>, string> = {
  honeypot: 'the hidden field was filled',
  bot_check: 'the bot check was missing or did not verify',
  operator: 'an operator refused it',
}
