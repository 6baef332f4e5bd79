import { plural } from '../../lib/quantities.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** Warns about erased records that a restore brought back. */
export function examineErasures(database: Pick<DatabaseInspector, 'returnedRecords'>): CheckResult[] {
  return database
    .returnedRecords()
    .map(({ handle, count }) =>
      warning(
        'erasures',
        `${plural(count, 'record')} of ${handle} that had been erased ${count === 1 ? 'is' : 'are'} back, because an earlier backup was restored.`,
        `Erase these persons again, from your own list of erasures: capture person erase ${handle} EMAIL --yes`,
      ),
    )
}
