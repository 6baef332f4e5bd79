import type { Clock } from '../../lib/clock.ts'
import type { Listener } from '../../listener/listener.ts'
import { turnsWhile } from '../../listener/turns.ts'
import type { RequestFigures } from '../../operator/request-figures.ts'

/** A pause ends by then on any machine. */
const pauseMsMax = 2000
/** Counted from the beginning. Requests without an answer by then, such as a slowly arriving form, get 503. */
const answeredMsMax = 6000
/** Downloads still running this long after a hand-over are cut. */
const downloadMsMax = 10 * 60_000

interface Leaving {
  listeners: Pick<Listener, 'drain' | 'stop' | 'leave'>
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
  const hasPassed = (ms: number) => {
    const atMs = clock.monotonicMs() + ms
    return () => clock.monotonicMs() >= atMs
  }
  const isTimeUp = hasPassed(answeredMsMax)
  listeners.drain()
  await turnsWhile(() => true, { isLate: hasPassed(pauseMsMax) })
  let isClosed = false
  const closed = listeners.stop(downloadMsMax).then(() => {
    isClosed = true
  })
  await turnsWhile(() => !isClosed, { isLate: hasPassed(pauseMsMax) })
  await turnsWhile(() => requests.inFlight > 0, { turnsMax: Number.POSITIVE_INFINITY, isLate: isTimeUp })
  listeners.leave()
  return { closed }
}
