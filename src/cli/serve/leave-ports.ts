import type { Clock } from '../../lib/clock.ts'
import type { Listener } from '../../listener/listener.ts'
import type { RequestFigures } from '../../operator/request-figures.ts'

/** How often the event loop turns in a pause: 300 ms, and longer on a machine so busy that clients are late too. */
const turnsPerPause = 30
const turnMs = 10
/** However late it is, a process that was kept from running reads what has arrived meanwhile. */
const turnsMin = 5
/** A pause ends by then on any machine. */
const pauseMsMax = 2000
/** Counted from the beginning. Requests without an answer by then, such as a slowly arriving form, get 503. */
const answeredMsMax = 6000
/** Downloads still running this long after a hand-over are cut. */
const downloadMsMax = 10 * 60_000

interface Leaving {
  listeners: Pick<Listener, 'drain' | 'stop'>
  requests: Pick<RequestFigures, 'inFlight'>
  clock: Pick<Clock, 'monotonicMs'>
}

/**
 * Leaves the ports to a process that listens beside this one. Clients are first asked to reconnect, while both accept. Once the
 * listeners are closed, a visitor in a handshake has another pause for the first request.
 *
 * @returns once every request has its answer. `closed`: the end of every connection, downloads too
 */
export async function leavePorts({ listeners, requests, clock }: Leaving): Promise<{ closed: Promise<void> }> {
  const answeredByMs = clock.monotonicMs() + answeredMsMax
  const turnsWhile = async (goesOn: () => boolean, turnsMax: number, untilMs: number): Promise<void> => {
    for (let turn = 0; turn < turnsMax && goesOn(); turn++) {
      if (turn >= turnsMin && clock.monotonicMs() >= untilMs) return
      await Bun.sleep(turnMs)
    }
  }
  const pause = (goesOn: () => boolean) => turnsWhile(goesOn, turnsPerPause, clock.monotonicMs() + pauseMsMax)
  listeners.drain()
  await pause(() => true)
  let isClosed = false
  const closed = listeners.stop(downloadMsMax).then(() => {
    isClosed = true
  })
  await pause(() => !isClosed)
  await turnsWhile(() => requests.inFlight > 0, Number.POSITIVE_INFINITY, answeredByMs)
  return { closed }
}
