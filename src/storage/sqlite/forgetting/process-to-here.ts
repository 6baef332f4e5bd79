import type { Clock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import type { Processing } from '../../../processing/processing.ts'
import type { Connection } from '../database/connection.ts'
import { newestNumber } from '../ledger/damaged-stretch.ts'
import { processedTo } from '../processing/processed-to.ts'

/** How long processing earlier records may take: a million take two minutes. */
const processMsMax = 600_000
const catchUpMs = 100

interface Needed {
  connection: Connection
  clock: Clock
  processing: Pick<Processing, 'catchUp'>
}

/**
 * Processes everything captured by now: before an erasure, it must be known whose each record is. Does not wait for
 * what arrives meanwhile.
 *
 * @throws OperatorError if that does not come to an end
 */
export async function processToHere({ connection, clock, processing }: Needed): Promise<void> {
  const newest = newestNumber(connection)
  const deadlineMs = clock.monotonicMs() + processMsMax
  while ((await processing.catchUp(catchUpMs)) > 0) {
    if (processedTo(connection) >= newest) return
    if (clock.monotonicMs() > deadlineMs) {
      throw new OperatorError('Earlier records are still waiting to be processed. Run the erasure again later.')
    }
  }
}
