import type { Clock } from '../../lib/clock.ts'
import { type Listener, turnsWhile } from '../../listener/listener.ts'
import type { RequestFigures } from '../../operator/figures.ts'
import type { StopSignal } from './running-service.ts'
import type { Serving } from './serving.ts'
import type { Successor } from './successor.ts'

/** When remaining work is aborted after the signal; the process ends within 10 s (docs/running.md). */
const graceMs = 9000

/** Answers requests in flight and writes buffered counts. The caller still has to close the data folder. */
export async function stopForGood(serving: Serving, signal: StopSignal): Promise<void> {
  const { service, predecessor, listeners, parts, supervision, handover } = serving
  const { log, manager } = service
  log.info('Stopping.', { signal })
  manager.stopping()
  predecessor?.stopping()
  handover?.close()
  void supervision.stop()
  const threadsStopped = stopThreads(serving)
  listeners.watch.stopping()
  parts.consoleProxy.endLive()
  await Promise.all([listeners.stop(graceMs), serving.nodeListening?.stop(graceMs)])
  parts.downloads.stop()
  await serving.consoleThread.stop()
  await endBackground(serving)
  await threadsStopped
  // Last, so that the cluster gets what the others have done.
  await serving.cluster?.stop()
  await listeners.watch.stop()
  log.info('Stopped.')
}

/**
 * Leaves the ports to the other process and writes buffered counts. The caller still has to close the data folder; running
 * downloads continue without it, and so does what the console is at: its thread opens the box as a command does.
 */
export async function letGo(serving: Serving, successor: Successor): Promise<Successor> {
  const { service, listeners, parts, consoleThread } = serving
  service.log.info('Handing over.', { to: successor.pid })
  const { connections } = await leaveFolder(serving)
  successor.ports = listeners.ports
  successor.stopConsole = () => consoleThread.stop()
  successor.connectionsEnd = connections.then(() => {
    parts.downloads.stop()
    return consoleThread.stop()
  })
  return successor
}

/** The same for listeners that this process has bound beside these. Nobody has the database open afterwards. */
export async function letGoForAnew(serving: Serving): Promise<void> {
  const { connections } = await leaveFolder(serving)
  void connections.then(() => serving.parts.downloads.stop())
  await serving.consoleThread.stop()
}

/** Ends all work but the console's. `connections`: their end, downloads too. */
async function leaveFolder(serving: Serving): Promise<{ connections: Promise<void> }> {
  const { service, listeners, parts, supervision, handover } = serving
  // A large one would keep everybody else waiting.
  parts.files.leave()
  const threadsStopped = stopThreads(serving)
  const nodesLeft = serving.nodeListening?.stop(answeredMsMax)
  const { closed } = await leavePorts({
    listeners,
    requests: parts.requests,
    clock: service.session.clock,
  })
  handover?.close()
  void supervision.stop()
  // Whoever looks connects again, to the other process.
  parts.consoleProxy.endLive()
  await endBackground(serving)
  await Promise.all([threadsStopped, nodesLeft])
  await serving.cluster?.stop(true)
  await listeners.watch.stop()
  return { connections: closed }
}

async function stopThreads({ delivering, backingUp, alerting }: Serving): Promise<void> {
  await Promise.all([delivering.stop(), backingUp.stop(), alerting.stop()])
}

async function endBackground({ background, parts }: Serving): Promise<void> {
  for (const interval of background) await interval.stop()
  await parts.refusals.flush()
  await parts.missing.flush()
}

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
