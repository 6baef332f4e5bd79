import type { Config, LogConfig } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Log, LogOptions } from '../../lib/log.ts'
import type { CapturingBox } from '../open.ts'
import type { Session } from '../session.ts'
import type { ServiceManager } from './service-manager.ts'
import type { Hangups, StopSignal } from './stop-signal.ts'

export interface ServeHooks {
  /** Reads the configuration again, on SIGHUP. */
  readConfig: () => LoadedConfig
  /** Whether another process may take over from this one; absent: it cannot be requested. */
  handsOver?: boolean
  /** Wraps the ledger, to observe captured records. */
  ledger?: (ledger: Ledger) => Ledger
  /** A connected domain that also serves the test page (docs/decisions/0013). */
  testPageDoorway?: string
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
