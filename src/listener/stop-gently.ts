import { turnsWhile } from './turns.ts'

/** The part of Bun's server needed to stop it. */
interface Stoppable {
  stop(closeActiveConnections?: boolean): Promise<void>
  readonly pendingRequests: number
}

/** How often to look whether the last body has been sent. */
const lookMs = 50

/** Two seconds, and longer on a machine so busy that clients are late too. */
export const turnsForHead = 200

/**
 * Stops accepting and waits for answers in flight; after `graceMs` cuts the rest. Bun would wait for connections that no request
 * has used yet, such as a browser's spare ones, until its idle timeout, and does not tell them from those with half a head: both
 * get a pause.
 *
 * @param turnsMax of that pause; not said: a short one
 */
export async function stopGently(server: Stoppable, graceMs: number, turnsMax?: number): Promise<void> {
  let timer: Timer | undefined
  let isOver = false
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  const answered = async (): Promise<void> => {
    await turnsWhile(() => !isOver, turnsMax === undefined ? {} : { turnsMax })
    while (!isOver && server.pendingRequests > 0) await Bun.sleep(lookMs)
  }
  await Promise.race([server.stop(), answered(), cut])
  isOver = true
  clearTimeout(timer)
  await server.stop(true)
}
