import type { Database } from 'bun:sqlite'
import { newId } from '../../../lib/id.ts'
import type { Deliveries } from '../../../processing/deliveries/deliveries.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

/** New rows of the table `delivery`. */
export class DeliveryRows {
  private readonly insert: BulkInsert

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
  ) {
    const columns = ['id', 'account_row', 'destination_row', 'sequence', 'submission_id', 'form_id', 'is_duplicate']
    const times = ['state', 'created_at', 'next_at']
    this.insert = new BulkInsert(raw, `delivery (${[...columns, ...times].join(', ')})`)
  }

  keep({ added }: Pick<Deliveries, 'added'>): void {
    if (added.length === 0) return
    this.insert.run(
      added.map(({ destination, key, submission, isDuplicate, at }) => [
        newId(),
        this.rowOfAccount(submission.accountId),
        destination,
        key,
        submission.id,
        submission.formId,
        isDuplicate ? 1 : 0,
        'waiting',
        at,
        at,
      ]),
    )
  }
}
