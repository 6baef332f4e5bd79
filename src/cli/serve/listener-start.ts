import type { Config } from '../../config/config.ts'
import type { ListenerBasics } from '../../listener/listener.ts'
import type { PortsInUse } from './bound.ts'

/** The inputs of listeners that are available before they can answer. */
export interface ListenerStart {
  basics: ListenerBasics
  config: Config
  /** Every connected domain. */
  hosts: readonly string[]
  /** The ports of the service to take over from; empty: none. */
  shared: PortsInUse
  /** The purposes of threads that are not started again (`ThreadSurroundings`). */
  stalled: Set<string>
}
