import { boxDatabases } from '../open.ts'
import type { RunningService } from '../serve/running-service.ts'
import { lockForServing } from '../serve/serve-lock.ts'
import type { Beginning } from './beginning.ts'
import type { Successor } from './successor.ts'

/** The kernel needs a moment to release the locks of an ended process. */
const lockMsMax = 10_000
/** As much as any stop may take. */
const stopMsMax = 10_000

/**
 * Stands by while the other process takes over, and ends this process's role when it has.
 *
 * @returns how this process serves again; `null`: it is no longer the service
 */
export async function takeBack(service: RunningService, successor: Successor): Promise<Beginning | null> {
  const { manager, log, hangups } = service
  hangups.answerWith(() => successor.signal('SIGHUP'))
  const stopped = service.stopped()
  const end = successor.isWaiting
    ? await Promise.race([successor.succeeds(manager), stopped])
    : ({ isService: false, why: 'it went away', snapshot: null } as const)
  if (typeof end === 'string') {
    // A signal to this process is meant for the service.
    await successor.stop(end, stopMsMax)
    return null
  }
  if (end.isService) {
    log.info('Handed over.', { pid: successor.pid })
    await Promise.race([successor.connectionsEnd, stopped])
    return null
  }
  log.error('The new version did not take over: this one serves again.', { why: end.why })
  await successor.stopConsole()
  const lock = await lockForServing(service.config, lockMsMax)
  if (end.snapshot !== null) {
    const { undoMigration } = await boxDatabases()
    const aside = undoMigration(service.config.dataDir, end.snapshot)
    log.warn('The database from before the migration is back; nothing was captured in between.', {
      movedAside: aside,
    })
  }
  return { predecessor: null, lock, ports: successor.ports, onServing: () => successor.tellFailed(end.why) }
}
