import type { Config, LogConfig } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Log, LogOptions } from '../../lib/log.ts'
import type { CapturingBox } from '../open.ts'
import type { Session } from '../session.ts'
import type { ServiceManager } from './service-manager.ts'

export interface ServeHooks {
  readConfig: () => LoadedConfig
  /** Whether another process may take over from this one; absent: it cannot be requested. */
  handsOver?: boolean
  /** Wraps the ledger, to observe captured records. */
  ledger?: (ledger: Ledger) => Ledger
  /** A connected domain that also serves the test page (docs/decisions/0013). */
  testPageDomain?: string
  /** Told once the ports are bound. */
  onListening?: (box: CapturingBox, log: Log) => Promise<void> | void
}

/** The state of a service's process, which outlives its openings of the data folder. */
export interface RunningService {
  config: Config
  session: Session
  hooks: ServeHooks
  log: Log
  logging: LogOptions & LogConfig
  hangups: Hangups
  manager: ServiceManager
  /** The purposes of threads that are not started again (`ThreadSurroundings`). */
  stalled: Set<string>
  /** Resolves with the first stop signal. Before its first use, such a signal ends the process. */
  stopped: () => Promise<StopSignal>
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

/**
 * Resolves with the first stop signal. A second Ctrl-C ends the process at once; a second SIGTERM is ignored, because supervisors and
 * wrappers may forward it twice and the stop is bounded anyway.
 */
export function stopSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping && signal === 'SIGINT') process.exit(1)
      stopping = true
      resolve(signal)
    })
  }
  return promise
}

/** Handles SIGHUP, which never ends the service: the service outlives its terminal. */
interface Hangups {
  /** Sets the work for each signal. An earlier signal triggers it at once. */
  answerWith(work: () => void): void
}

export function outliveTerminal(): Hangups {
  let work: (() => void) | null = null
  let isWaiting = false
  process.on('SIGHUP', () => {
    if (work === null) isWaiting = true
    else work()
  })
  return {
    answerWith(reload) {
      work = reload
      if (isWaiting) reload()
    },
  }
}
