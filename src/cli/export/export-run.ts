import type { StoredAccount } from '../../account/account.ts'
import { eventColumns, submissionColumns } from '../../report/columns.ts'
import { type Column, type CsvDialect, csvChunks } from '../../report/csv.ts'
import { type ExportOptions, exportRecords } from '../../report/export.ts'
import { exportPersons, type PersonExportOptions } from '../../report/export-persons.ts'
import { jsonLines } from '../../report/jsonl.ts'
import { personColumns } from '../../report/person-columns.ts'
import { beginOutFile } from '../output/out-file.ts'
import { printable } from '../output/printable.ts'
import { startProgress } from '../output/progress.ts'
import type { ResultStream } from '../output/streams.ts'
import type { World } from '../session.ts'

/** What was asked for, checked. */
export interface ExportRequest extends Omit<ExportOptions, 'ledger' | 'findings' | 'accountId' | 'what'> {
  what: ExportOptions['what'] | 'persons'
  format: 'jsonl' | 'csv'
  /** Of CSV. */
  dialect: CsvDialect
  /** Absolute; `null`: standard output. */
  out: string | null
}

export interface ExportSurroundings extends Pick<World, 'out' | 'err' | 'clock'> {
  account: StoredAccount
  dataDir: string
  ledger: ExportOptions['ledger']
  findings: ExportOptions['findings']
  persons: PersonExportOptions['persons']
}

/** Writes the records where they are wanted, no faster than they are taken, and answers how many there were. */
export async function runExport(request: ExportRequest, surroundings: ExportSurroundings): Promise<number> {
  let rows = 0
  const isTerminalTaken = request.out === null && surroundings.out.isTerminal
  const progress = startProgress({
    stream: isTerminalTaken ? { ...surroundings.err, isTerminal: false } : surroundings.err,
    clock: surroundings.clock,
    label: 'Exporting',
    unit: 'rows',
    total: null,
  })
  const chunks = rendered(request, surroundings, () => {
    rows++
    progress.advance(1)
  })
  try {
    await (request.out === null
      ? toResult(chunks, surroundings.out)
      : toFile(chunks, request.out, surroundings.dataDir))
  } finally {
    progress.end()
  }
  return rows
}

function rendered(
  request: ExportRequest,
  { account, ledger, findings, persons }: ExportSurroundings,
  onRecord: () => void,
): AsyncIterable<string> {
  const { what, ...options } = { ...request, ledger, findings, persons, accountId: account.id }
  const text = <Row extends object>(records: AsyncIterable<Row>, columns: () => Column<Row>[]) =>
    request.format === 'csv'
      ? csvChunks(columns(), counted(records, onRecord), request.dialect)
      : jsonLines(counted(records, onRecord))
  switch (what) {
    case 'submissions':
      return text(exportRecords({ ...options, what }), () => submissionColumns(account.forms))
    case 'events':
      return text(exportRecords({ ...options, what }), () => eventColumns)
    case 'persons':
      return text(exportPersons(options), () => personColumns)
  }
}

async function* counted<T>(records: AsyncIterable<T>, onRecord: () => void): AsyncGenerator<T> {
  for await (const record of records) {
    onRecord()
    yield record
  }
}

/** CSV cannot write a control character in another way, so on a terminal it is shown rather than sent. */
async function toResult(chunks: AsyncIterable<string>, out: ResultStream): Promise<void> {
  for await (const chunk of chunks) {
    await out.write(out.isTerminal ? printable(chunk.replaceAll('\r\n', '\n'), 'lines') : chunk)
  }
}

async function toFile(chunks: AsyncIterable<string>, path: string, dataDir: string): Promise<void> {
  const file = await beginOutFile(path, dataDir)
  try {
    for await (const chunk of chunks) await file.write(chunk)
    await file.finish()
  } catch (error) {
    await file.discard()
    throw error
  }
}
