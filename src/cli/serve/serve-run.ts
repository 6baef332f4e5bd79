import type { Config } from '../../config/config.ts'
import { openLog } from '../../lib/log.ts'
import type { ExitStatus } from '../command.ts'
import type { Beginning } from '../handover/beginning.ts'
import type { Predecessor } from '../handover/predecessor.ts'
import type { Successor } from '../handover/successor.ts'
import { takeBack } from '../handover/take-back.ts'
import type { Session } from '../session.ts'
import type { RunningService, ServeHooks } from './running-service.ts'
import { serveOnce } from './serve-once.ts'
import { serviceManager } from './service-manager.ts'
import { outliveTerminal, type StopSignal, stopSignal } from './stop-signal.ts'

/**
 * Runs the service until it is asked to stop or another process has finally taken over.
 *
 * @param predecessor the running service to take over from; `null`: none
 */
export async function runServer(
  config: Config,
  session: Session,
  hooks: ServeHooks,
  predecessor: Predecessor | null = null,
): Promise<ExitStatus> {
  const { clock, err } = session
  const logging = { ...config.log, write: (line: string) => err.write(line), now: clock.now }
  const log = openLog(logging)
  let stopped: Promise<StopSignal> | null = null
  const service: RunningService = {
    ...{ config, session, hooks, log, logging },
    hangups: outliveTerminal(),
    manager: serviceManager(session),
    stalled: new Set(),
    stopped: () => {
      stopped ??= stopSignal()
      return stopped
    },
  }
  let beginning: Beginning | null = { predecessor }
  while (beginning !== null) {
    const successor: Successor | null = await serveOnce(service, beginning)
    beginning = successor === null ? null : await takeBack(service, successor)
  }
  return 0
}
