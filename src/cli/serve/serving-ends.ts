import type { RequestFigures } from '../../operator/request-figures.ts'
import type { Successor } from '../handover/successor.ts'
import type { Serving } from './serving.ts'
import type { StopSignal } from './stop-signal.ts'

/** When remaining work is aborted after the signal; the process ends within 10 s (docs/running.md). */
const graceMs = 9000
/** How long clients are asked to reconnect while both processes accept. */
const drainMs = 300
/** Requests without an answer by then, such as a slowly arriving form, get 503. */
const answeredMsMax = 6000
const pollMs = 5
/** Downloads still running this long after a hand-over are cut. */
const downloadMsMax = 10 * 60_000

/** Answers requests in flight and writes buffered counts. The caller still has to close the data folder. */
export async function stopForGood(serving: Serving, signal: StopSignal): Promise<void> {
  const { service, predecessor, doors, parts, supervision, desk } = serving
  const { log, manager } = service
  log.info('Stopping.', { signal })
  manager.stopping()
  predecessor?.stopping()
  desk?.close()
  void supervision.stop()
  const threadsStopped = stopThreads(serving)
  doors.watch.stopping()
  parts.consoleDoor?.endLive()
  await doors.listeners.stop(graceMs)
  parts.downloads.stop()
  await endBackground(serving)
  await threadsStopped
  await doors.closeOwn()
  log.info('Stopped.')
}

/**
 * Leaves the ports to the other process and writes buffered counts. The caller still has to close the data folder; running
 * downloads continue without it.
 */
export async function letGo(serving: Serving, successor: Successor): Promise<Successor> {
  const { service, doors, parts, supervision, desk } = serving
  service.log.info('Handing over.', { to: successor.pid })
  doors.listeners.drain()
  const threadsStopped = stopThreads(serving)
  await Bun.sleep(drainMs)
  desk?.close()
  void supervision.stop()
  successor.ports = doors.ports
  successor.downloadsEnd = doors.listeners.stop(downloadMsMax).then(() => parts.downloads.stop())
  await untilAnswered(parts.requests)
  await endBackground(serving)
  await threadsStopped
  await doors.closeOwn()
  return successor
}

async function stopThreads({ delivering, backingUp }: Serving): Promise<void> {
  await Promise.all([delivering.stop(), backingUp.stop()])
}

async function endBackground({ background, parts, consoleThread }: Serving): Promise<void> {
  await consoleThread.stop()
  for (const interval of background) await interval.stop()
  await parts.refusals.flush()
}

async function untilAnswered(requests: RequestFigures): Promise<void> {
  for (let waitedMs = 0; requests.inFlight > 0 && waitedMs < answeredMsMax; waitedMs += pollMs) await Bun.sleep(pollMs)
}
