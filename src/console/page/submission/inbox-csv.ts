import type { StoredAccount } from '../../../account/account.ts'
import { Locale } from '../../../language/locale.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { type ListedSubmissions, listSubmissions } from '../../../operations/submission/list-submissions.ts'
import { type CsvDialect, csvChunks } from '../../../report/csv.ts'
import { type SubmissionRecord, submissionColumns } from '../../../report/record.ts'
import type { SubmissionPlace } from '../../../report/submission-reader.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { wholeAnswer } from '../../api/endpoint.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { filtersIn, type InboxQuery, inboxQuery } from './inbox-filters.ts'

/** Read at a time: at 16 KB a record at most, 4 MB. */
const rowsPerPart = 256

/** Leads to what the list shows, as a file. */
export const leadsCsvLink = ({ account, url }: AccountPageCall): Markup =>
  html`<a class="save" href="/a/${account.handle}/leads.csv?${filtersIn(url.searchParams).toString()}">CSV</a>`

/**
 * `/a/ACCOUNT/leads.csv?status&state&form&q`: everything that the inbox with these filters would show, latest first, for a
 * spreadsheet: what visitors entered comes first.
 */
export const inboxCsv: AccountPage = {
  path: '/a/:account/leads.csv',
  scope: 'read',
  clients: 'masked',
  noted: { action: 'export.read', subject: () => 'submissions' },
  async show(call, box) {
    const { account } = call
    const query = inboxQuery(call)
    const forms = query.form === undefined ? account.forms : account.forms.filter(({ id }) => id === query.form)
    const first = await recordsBehind(query.behind, { call, query, box })
    // Many forms declare no schema: what the latest of them sent has columns too.
    const seen = first.records.flatMap(({ fields }) => Object.keys(fields))
    const columns = submissionColumns(forms, 'fields_first', seen)
    const chunks = csvChunks(columns, recordsFrom(first, { call, query, box }), excelDialect(account))
    return new Response(await wholeAnswer(chunks, box), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${account.handle}-${(query.form === undefined ? null : forms[0]?.id) ?? 'leads'}.csv"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  },
}

/** Excel splits at semicolons where decimals have a comma. */
const excelDialect = ({ settings: { language } }: StoredAccount): CsvDialect => ({
  separator: new Locale(language).decimal(0.5).includes(',') ? ';' : ',',
  isMarked: true,
})

interface Reading {
  call: AccountPageCall
  query: InboxQuery
  box: ConsoleBox
}

type Part = Pick<ListedSubmissions, 'records' | 'next'>

async function recordsBehind(
  behind: SubmissionPlace | null,
  { call: { account, view }, query, box }: Reading,
): Promise<Part> {
  const wanted = { account: account.handle, since: null, limit: rowsPerPart, ...query, behind }
  const { records, next } = await listSubmissions(box, wanted, () => {})
  return {
    next,
    records: view === 'masked' ? records.map((record) => maskedSubmission(record, account.forms)) : records,
  }
}

async function* recordsFrom(first: Part, reading: Reading): AsyncGenerator<SubmissionRecord> {
  for (let part = first; ; part = await recordsBehind(part.next, reading)) {
    yield* part.records
    if (part.next === null) return
  }
}
