import type { Processing } from '../../processing/processing.ts'
import type { OnRecordNotice } from './record-notice.ts'

/** How long an operation processes what waits before it goes on with what there is. */
const catchUpMsMax = 3000

/**
 * Processes what waits, so that what is read is current whether or not the box is served. What it cannot, on a full disk
 * or in so short a time, is noticed: what was captured is read all the same.
 */
export async function catchUp(processing: Pick<Processing, 'catchUp'>, onNotice: OnRecordNotice): Promise<void> {
  const waiting = (await leftWaiting(processing, onNotice)) ?? 0
  if (waiting > 0) onNotice({ kind: 'waiting', records: waiting })
}

/** The same where the result itself says how many records still wait. */
export const caughtUp = async (
  processing: Pick<Processing, 'catchUp' | 'state'>,
  onNotice: OnRecordNotice,
): Promise<number> => (await leftWaiting(processing, onNotice)) ?? (await processing.state()).waiting

/** `null`: it failed, as was noticed. */
async function leftWaiting(processing: Pick<Processing, 'catchUp'>, onNotice: OnRecordNotice): Promise<number | null> {
  try {
    return await processing.catchUp(catchUpMsMax)
  } catch (error) {
    onNotice({ kind: 'unprocessed', reason: error instanceof Error ? error.message : 'unknown' })
    return null
  }
}
