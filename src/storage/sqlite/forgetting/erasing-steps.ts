import type { Clock } from '../../../lib/clock.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { Folding } from '../processing/folding.ts'
import { Refolding } from '../refolding/refolding.ts'
import { retryGivenUp } from '../refolding/stale-marks.ts'
import { passingDamage } from '../salvage/damage.ts'
import type { ErasedRemoval, Taken } from './erased-removal.ts'
import type { FoundRecord } from './own-records.ts'

/** Records considered for one step. */
const recordsPerStepMax = 1000
/** How long a step of deriving may take: 20 ms, less a slow disk's share. */
const refoldMs = 5

/** Removes the records in short transactions. Unreadable ones are counted and stay. */
export async function removeInSteps(
  removal: ErasedRemoval,
  records: readonly FoundRecord[],
  taken: Taken,
): Promise<void> {
  for (let next = 0; next < records.length; ) {
    const some = records.slice(next, next + recordsPerStepMax)
    next += passingDamage(
      some,
      (some) => removal.remove(some, taken),
      () => taken.counts.unreadable++,
    )
    await breath()
  }
}

/** Derives everything stale again, including what a killed erasure left stale, and what could not be derived before. */
export async function refoldEverything(connection: Connection, clock: Clock): Promise<void> {
  retryGivenUp(connection)
  const refolding = new Refolding({ connection, clock, folding: new Folding(connection), onGivenUp: () => {} })
  while (refolding.run(refoldMs) === 'more') await breath()
}
