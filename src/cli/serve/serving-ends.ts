import type { RequestFigures } from '../../operator/request-figures.ts'
import type { Successor } from '../handover/successor.ts'
import type { Serving } from './serving.ts'
import type { StopSignal } from './stop-signal.ts'

/** What may still be under way this long after the signal is cut; the process ends within 10 s (contract section 6). */
const graceMs = 9000
/** Time in which clients hear that they shall connect anew, while both processes accept. */
const drainMs = 300
/** A request that has no answer by then, such as a form that dribbles in, is answered 503. */
const answeredMsMax = 6000
const pollMs = 5
/** A download that still runs so long after another process has taken over is cut. */
const downloadMsMax = 10 * 60_000

/** Answers what is in flight, writes what it holds, and ends. The data folder is still to be closed. */
export async function stopForGood(serving: Serving, signal: StopSignal): Promise<void> {
  const { service, predecessor, doors, parts, supervision, delivering, desk } = serving
  const { log, manager } = service
  log.info('Stopping.', { signal })
  manager.stopping()
  predecessor?.stopping()
  desk?.close()
  void supervision.stop()
  const delivered = delivering.stop()
  doors.watch.stopping()
  await doors.listeners.stop(graceMs)
  parts.downloads.stop()
  await endBackground(serving)
  await delivered
  await doors.closeOwn()
  log.info('Stopped.')
}

/**
 * Leaves the ports to the process that listens beside, and writes what it holds. The data folder is still to be closed;
 * downloads that run go on, as they need nothing of it.
 */
export async function letGo(serving: Serving, successor: Successor): Promise<Successor> {
  const { service, doors, parts, supervision, delivering, desk } = serving
  service.log.info('Handing over.', { to: successor.pid })
  doors.listeners.drain()
  const delivered = delivering.stop()
  await Bun.sleep(drainMs)
  desk?.close()
  void supervision.stop()
  successor.ports = doors.ports
  successor.downloadsEnd = doors.listeners.stop(downloadMsMax).then(() => parts.downloads.stop())
  await untilAnswered(parts.requests)
  await endBackground(serving)
  await delivered
  await doors.closeOwn()
  return successor
}

async function endBackground({ background, parts, consoleThread }: Serving): Promise<void> {
  await consoleThread.stop()
  for (const interval of background) await interval.stop()
  await parts.refusals.flush()
}

async function untilAnswered(requests: RequestFigures): Promise<void> {
  for (let waitedMs = 0; requests.inFlight > 0 && waitedMs < answeredMsMax; waitedMs += pollMs) await Bun.sleep(pollMs)
}
