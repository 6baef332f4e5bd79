import type { StoredAccount } from '../../../account/account.ts'
import { type ExportWanted, exportRecords } from '../../../operations/export/export-records.ts'
import { watchedLack } from '../../../operations/record/lack.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { wholeAnswer } from '../whole-answer.ts'

/**
 * An export as a download. Rows are read while they are sent, so memory does not grow with their number.
 *
 * @param partial whether to leave out records that cannot be read
 */
export async function exportAnswer(
  box: ConsoleBox,
  { handle }: StoredAccount,
  { partial, ...wanted }: Omit<ExportWanted, 'account'> & { partial: boolean },
): Promise<Response> {
  const { onNotice, isWhole } = watchedLack()
  const watch = { onNotice, onRecord: () => {} }
  const { chunks } = await exportRecords(box, { ...wanted, account: handle }, watch)
  const isCsv = wanted.format.name === 'csv'
  return new Response(await wholeAnswer(chunks, { partial, isWhole, log: box.log }), {
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${handle}-${wanted.what}.${isCsv ? 'csv' : 'jsonl'}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
