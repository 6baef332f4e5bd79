import type { ListenAddress } from '../../config/config.ts'
import { freePort } from '../../lib/free-port.ts'
import { listenFault } from './address-taken.ts'

/** The ports that a service listens on. */
export interface PortsInUse {
  plain?: number
  https?: number
  /** Plain HTTP beside https. */
  http?: number
  operator?: number
  console?: number
}

interface Binding {
  address: ListenAddress
  /** Of `capture.toml`. */
  key: string
  /** The port of the service to take over from; absent: none. */
  shared: number | undefined
}

/**
 * Binds an address that is free or belongs to the service to take over from.
 *
 * @throws OperatorError when the address cannot be bound
 */
export function bound<T>({ address, key, shared }: Binding, bind: (address: ListenAddress) => T): T {
  const { host, port } = address
  // For "any free port", take the previous service's.
  const isShared = shared !== undefined && (port === 0 || port === shared)
  try {
    return bind({ host, port: isShared ? shared : freePort(address) })
  } catch (error) {
    throw listenFault(error, address, key)
  }
}
