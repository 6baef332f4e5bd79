import type { Successor } from '../handover/successor.ts'
import { leavePorts } from './leave-ports.ts'
import type { Serving } from './serving.ts'
import type { StopSignal } from './stop-signal.ts'

/** When remaining work is aborted after the signal; the process ends within 10 s (docs/running.md). */
const graceMs = 9000

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
  parts.consoleDoor.endLive()
  await doors.listeners.stop(graceMs)
  parts.downloads.stop()
  await serving.consoleThread.stop()
  await endBackground(serving)
  await threadsStopped
  await doors.closeOwn()
  log.info('Stopped.')
}

/**
 * Leaves the ports to the other process and writes buffered counts. The caller still has to close the data folder; running
 * downloads continue without it, and so does what the console is at: its thread opens the box as a command does.
 */
export async function letGo(serving: Serving, successor: Successor): Promise<Successor> {
  const { service, doors, parts, supervision, desk, consoleThread } = serving
  service.log.info('Handing over.', { to: successor.pid })
  const threadsStopped = stopThreads(serving)
  const { closed } = await leavePorts({
    listeners: doors.listeners,
    requests: parts.requests,
    clock: service.session.clock,
  })
  desk?.close()
  void supervision.stop()
  successor.ports = doors.ports
  // Whoever looks connects again, to the other process.
  parts.consoleDoor.endLive()
  successor.stopConsole = () => consoleThread.stop()
  successor.connectionsEnd = closed.then(() => {
    parts.downloads.stop()
    return consoleThread.stop()
  })
  await endBackground(serving)
  await threadsStopped
  await doors.closeOwn()
  return successor
}

async function stopThreads({ delivering, backingUp }: Serving): Promise<void> {
  await Promise.all([delivering.stop(), backingUp.stop()])
}

async function endBackground({ background, parts }: Serving): Promise<void> {
  for (const interval of background) await interval.stop()
  await parts.refusals.flush()
}
