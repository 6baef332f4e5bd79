import { count } from '../../lib/quantities.ts'
import type { Processing } from '../../processing/processing.ts'
import { printable } from '../output/printable.ts'
import type { Session } from '../session.ts'

/** How long a command processes what waits before it prints what there is. */
const catchUpMsMax = 3000

/**
 * Processes what waits, so that what a command prints is current whether or not the box is served. What it cannot, on a
 * full disk or in so short a time, it says on stderr: what was captured is printed all the same.
 */
export async function catchUp(processing: Pick<Processing, 'catchUp'>, session: Pick<Session, 'err'>): Promise<void> {
  const waiting = (await leftWaiting(processing, session)) ?? 0
  if (waiting === 0) return
  session.err.write(`Of ${count(waiting)} later records nothing is known yet: they wait to be processed.\n`)
}

/** The same for a command that prints itself how many records still wait. */
export const caughtUp = async (
  processing: Pick<Processing, 'catchUp' | 'state'>,
  session: Pick<Session, 'err'>,
): Promise<number> => (await leftWaiting(processing, session)) ?? (await processing.state()).waiting

/** `null`: it failed, as was said. */
async function leftWaiting(
  processing: Pick<Processing, 'catchUp'>,
  { err }: Pick<Session, 'err'>,
): Promise<number | null> {
  try {
    return await processing.catchUp(catchUpMsMax)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    err.write(printable(`What was captured last could not be processed (${reason}). capture doctor says more.`) + '\n')
    return null
  }
}
