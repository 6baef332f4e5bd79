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
  /** The port on which the service listens that is taken over from; absent: it listens on none for this. */
  shared: number | undefined
}

/**
 * Binds an address that must be nobody's, or that of the service which is taken over from.
 *
 * @throws OperatorError when it cannot be had
 */
export function bound<T>({ address, key, shared }: Binding, bind: (address: ListenAddress) => T): T {
  const { host, port } = address
  // "Any free port" means the one that the service before has found.
  const isShared = shared !== undefined && (port === 0 || port === shared)
  try {
    return bind({ host, port: isShared ? shared : freePort(address) })
  } catch (error) {
    throw listenFault(error, address, key)
  }
}
