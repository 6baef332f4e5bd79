import type { StoredAccount } from '../../../account/account.ts'
import { textStream } from '../../../lib/text-stream.ts'
import { type ExportWanted, exportRecords } from '../../../operations/export/export-records.ts'
import type { ConsoleBox } from '../../console-box.ts'

/** An export as a download. Rows are read while they are sent, so memory does not grow with their number. */
export async function exportAnswer(
  box: ConsoleBox,
  { handle }: StoredAccount,
  wanted: Omit<ExportWanted, 'account'>,
): Promise<Response> {
  const watch = { onNotice: () => {}, onRecord: () => {} }
  const { chunks } = await exportRecords(box, { ...wanted, account: handle }, watch)
  const isCsv = wanted.format.name === 'csv'
  return new Response(textStream(chunks), {
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${handle}-${wanted.what}.${isCsv ? 'csv' : 'jsonl'}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
