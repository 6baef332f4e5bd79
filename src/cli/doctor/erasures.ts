import { plural } from '../../lib/quantities.ts'
import type { Connection } from '../../storage/sqlite/connection.ts'
import { returnedRecords } from '../../storage/sqlite/forgetting/returned-records.ts'
import { type Finding, warning } from './finding.ts'

/** Erased records that a restore has brought back. */
export function examineErasures(reader: Connection): Finding[] {
  return returnedRecords(reader).map(({ handle, count }) =>
    warning(
      'erasures',
      `${plural(count, 'record')} of ${handle} that had been erased ${count === 1 ? 'is' : 'are'} back, since a backup of before was restored.`,
      `Erase these persons again, by your own list of erasures: capture person erase ${handle} EMAIL --yes`,
    ),
  )
}
