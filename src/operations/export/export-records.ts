import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import { NotThere } from '../../lib/operator-error.ts'
import type { Processing } from '../../processing/processing.ts'
import { type Column, type CsvDialect, csvChunks } from '../../report/csv.ts'
import { exportedPersons, exportedRecords, type Include } from '../../report/export.ts'
import { jsonLines } from '../../report/json-text.ts'
import { personColumns } from '../../report/person-reader.ts'
import { eventColumns, submissionColumns } from '../../report/record.ts'
import type { SubmissionReader } from '../../report/submission-reader.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'

export interface ExportWanted {
  account: string
  what: 'submissions' | 'events' | 'persons'
  format: ExportFormat
  /** Earliest receipt (for persons: last seen), epoch milliseconds, inclusive; `null`: no limit. */
  since: number | null
  /** Latest receipt, exclusive; `null`: no limit. */
  until: number | null
  /** Which submissions to include. */
  include: Include
  /** Whether to include records of the hosted test page. */
  test: boolean
  /** Submissions of this form alone; absent: of all. */
  form?: string | undefined
}

export type ExportFormat = { name: 'jsonl' } | { name: 'csv'; dialect: CsvDialect }

interface ExportWatch {
  onNotice: OnRecordNotice
  /** Called for each record. */
  onRecord: () => void
}

export interface RecordExport {
  account: string
  /** The text, read from the box on demand. The box must stay open until the end. */
  chunks: AsyncIterable<string>
}

/** The ports of an export. */
export interface ExportingBox extends Pick<Box, 'ledger' | 'facts' | 'persons'> {
  submissions: Pick<SubmissionReader, 'lastReceived'>
  accounts: Pick<AccountStore, 'find' | 'list'>
  processing: Pick<Processing, 'catchUp'>
}

/** Exports records or persons of an account as text (docs/exports.md). @throws OperatorError when there is no such account or form */
export async function exportRecords(
  box: ExportingBox,
  wanted: ExportWanted,
  watch: ExportWatch,
): Promise<RecordExport> {
  const account = await accountCaughtUp(box, wanted.account, watch.onNotice)
  if (wanted.form !== undefined) await assertForm(box, account, wanted.form)
  return { account: account.handle, chunks: chunksOf(account, { box, wanted, watch }) }
}

/** A form that the site folder no longer has may have submissions. */
async function assertForm(
  { submissions }: Pick<ExportingBox, 'submissions'>,
  { id, handle, forms }: StoredAccount,
  form: string,
): Promise<void> {
  if (forms.some((known) => known.id === form)) return
  if ((await submissions.lastReceived(id, [form])).has(form)) return
  throw new NotThere(`There is no form "${form}" in ${handle}. \`capture account show ${handle}\` lists its forms.`)
}

interface Exporting {
  box: ExportingBox
  wanted: ExportWanted
  watch: ExportWatch
}

function chunksOf(account: StoredAccount, { box, wanted, watch }: Exporting): AsyncIterable<string> {
  const { what, format } = wanted
  const { ledger, facts, persons } = box
  const options = { ...wanted, ledger, facts, persons, accountId: account.id }
  const text = <Row extends object>(records: AsyncIterable<Row>, columns: () => Column<Row>[]) =>
    format.name === 'csv'
      ? csvChunks(columns(), counted(records, watch.onRecord), format.dialect)
      : jsonLines(counted(records, watch.onRecord))
  switch (what) {
    case 'submissions':
      return text(exportedRecords({ ...options, what }), () =>
        submissionColumns(formsOf(account, wanted), orderOf(format)),
      )
    case 'events':
      return text(exportedRecords({ ...options, what }), () => eventColumns)
    case 'persons':
      return text(exportedPersons(options), () => personColumns)
  }
}

const formsOf = ({ forms }: StoredAccount, { form }: ExportWanted): StoredAccount['forms'] =>
  form === undefined ? forms : forms.filter(({ id }) => id === form)

/** Excel is what people open it with. */
const orderOf = (format: ExportFormat): 'fields_first' | 'fields_last' =>
  format.name === 'csv' && format.dialect.isMarked ? 'fields_first' : 'fields_last'

async function* counted<T>(records: AsyncIterable<T>, onRecord: () => void): AsyncGenerator<T> {
  for await (const record of records) {
    onRecord()
    yield record
  }
}
