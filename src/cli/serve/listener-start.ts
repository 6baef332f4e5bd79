import type { Config } from '../../config/config.ts'
import type { ListenerBasics } from '../../listener/listener.ts'
import type { PortsInUse } from './bound.ts'

/** What is known before the listeners can answer anything. */
export interface ListenerStart {
  basics: ListenerBasics
  config: Config
  /** Every connected domain. */
  hosts: readonly string[]
  /** Where the service listens that is to be taken over from; none: it is nobody's. */
  shared: PortsInUse
}
