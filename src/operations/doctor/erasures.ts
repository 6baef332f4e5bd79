import { plural } from '../../lib/quantities.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

type Erased = Pick<DatabaseInspector, 'returnedRecords' | 'underivedDevices'>

/** Warns about erased records that a restore brought back, and about what may still follow from removed ones. */
export function examineErasures(database: Erased): CheckResult[] {
  const returned = database
    .returnedRecords()
    .map(({ handle, count }) =>
      warning(
        'erasures',
        `${plural(count, 'record')} of ${handle} that had been erased ${count === 1 ? 'is' : 'are'} back, because an earlier backup was restored.`,
        `Erase these persons again, from your own list of erasures: capture person erase ${handle} EMAIL --yes`,
        { act: 'erase_again', account: handle },
      ),
    )
  const underived = database
    .underivedDevices()
    .map(({ handle, count, reason }) =>
      warning(
        'erasures',
        `${plural(count, 'device')} of ${handle} could not be derived again without removed records: ${reason}. Figures may still count these, and submissions may still say that they led there.`,
        `Every erasure tries again. Once no other check finds damage, repeat the last one: capture person erase ${handle} EMAIL --yes`,
      ),
    )
  return [...returned, ...underived]
}
