import type { Processing } from '../processing/processing.ts'
import { printable } from './output/printable.ts'
import { count } from './output/quantities.ts'
import type { Session } from './session.ts'

/** How long a command processes what waits before it prints what there is. */
const catchUpMsMax = 3000

type Catching = Pick<Processing, 'catchUp' | 'state'>

/**
 * Processes what waits, so that what a command prints is current whether or not the box is served. What it cannot, on a
 * full disk or in so short a time, it says on stderr: what was captured is printed all the same.
 */
export async function catchUp(processing: Catching, { err }: Pick<Session, 'err'>): Promise<void> {
  const waiting = await caughtUp(processing, { err })
  if (waiting > 0) err.write(`Of ${count(waiting)} later records nothing is known yet: they wait to be processed.\n`)
}

/** The same for a command that prints itself how many records still wait. */
export async function caughtUp(processing: Catching, { err }: Pick<Session, 'err'>): Promise<number> {
  try {
    return await processing.catchUp(catchUpMsMax)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    err.write(printable(`What was captured last could not be processed (${reason}). capture doctor says more.`) + '\n')
    return (await processing.state()).waiting
  }
}
