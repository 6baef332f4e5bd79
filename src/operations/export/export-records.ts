import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import type { Processing } from '../../processing/processing.ts'
import { type Column, type CsvDialect, csvChunks } from '../../report/csv.ts'
import { exportedPersons, exportedRecords, type Include } from '../../report/export.ts'
import { jsonLines } from '../../report/json-text.ts'
import { personColumns } from '../../report/person-reader.ts'
import { eventColumns, submissionColumns } from '../../report/record.ts'
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
  accounts: Pick<AccountStore, 'find' | 'list'>
  processing: Pick<Processing, 'catchUp'>
}

/** Exports records or persons of an account as text (docs/exports.md). @throws OperatorError when there is no account of that handle */
export async function exportRecords(
  box: ExportingBox,
  wanted: ExportWanted,
  watch: ExportWatch,
): Promise<RecordExport> {
  const account = await accountCaughtUp(box, wanted.account, watch.onNotice)
  return { account: account.handle, chunks: chunksOf(account, { box, wanted, watch }) }
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
      return text(exportedRecords({ ...options, what }), () => submissionColumns(account.forms))
    case 'events':
      return text(exportedRecords({ ...options, what }), () => eventColumns)
    case 'persons':
      return text(exportedPersons(options), () => personColumns)
  }
}

async function* counted<T>(records: AsyncIterable<T>, onRecord: () => void): AsyncGenerator<T> {
  for await (const record of records) {
    onRecord()
    yield record
  }
}
