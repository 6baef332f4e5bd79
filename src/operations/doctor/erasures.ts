import { plural } from '../../lib/quantities.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** Erased records that a restore has brought back. */
export function examineErasures(database: Pick<DatabaseInspector, 'returnedRecords'>): CheckResult[] {
  return database
    .returnedRecords()
    .map(({ handle, count }) =>
      warning(
        'erasures',
        `${plural(count, 'record')} of ${handle} that had been erased ${count === 1 ? 'is' : 'are'} back, since a backup of before was restored.`,
        `Erase these persons again, by your own list of erasures: capture person erase ${handle} EMAIL --yes`,
      ),
    )
}
