import type { ListenAddress } from '../../config/config.ts'
import { freePort } from '../../lib/free-port.ts'
import { AddressTaken, listenFault } from './address-taken.ts'

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

/**
 * Like `bound`; `null`: another program has the default address. Several boxes on one machine must not need a word of
 * configuration for this; an address of the operator's own choice is meant.
 */
export function boundUnlessTaken<T>(
  binding: Binding & { byDefault: ListenAddress },
  bind: (address: ListenAddress) => T,
): T | null {
  const { address, byDefault } = binding
  try {
    return bound(binding, bind)
  } catch (error) {
    const isDefault = address.host === byDefault.host && address.port === byDefault.port
    if (isDefault && error instanceof AddressTaken) return null
    throw error
  }
}
