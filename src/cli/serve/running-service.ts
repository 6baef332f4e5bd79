import type { Config } from '../../config/config.ts'
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
  /** Whether another process may take over from this one; absent: nobody can ask for it. */
  handsOver?: boolean
  /** Wraps the ledger, to watch what is captured. */
  ledger?: (ledger: Ledger) => Ledger
  /** A connected domain on which the test page answers too (docs/decisions/0013). */
  testPageDoorway?: string
  /** Told once the ports are bound. */
  onListening?: (box: CapturingBox, log: Log) => Promise<void> | void
}

/** What lasts as long as the process of a service does, however often it opens the data folder. */
export interface RunningService {
  config: Config
  session: Session
  hooks: ServeHooks
  log: Log
  logging: LogOptions
  hangups: Hangups
  manager: ServiceManager
  /** The first signal that asks the process to stop. Until it is first asked for, such a signal ends the process. */
  stopped: () => Promise<StopSignal>
}
