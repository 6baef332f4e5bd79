import type { Config } from '../../config/config.ts'
import type { ListenAddress } from '../../config/values.ts'
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

/** The configuration with the ports that a service has chosen where port 0 leaves that to it. */
export function withPorts(config: Config, ports: PortsInUse): Config {
  const { server, https, operator, console } = config
  return {
    ...config,
    server: { ...server, listen: chosen(server.listen, ports.plain) },
    https: {
      ...https,
      listen: chosen(https.listen, ports.https),
      httpListen: chosen(https.httpListen, ports.http),
    },
    operator: { ...operator, listen: chosen(operator.listen, ports.operator) },
    console: { ...console, listen: chosen(console.listen, ports.console) },
  }
}

/** @param address `null`: closed */
const chosen = <Address extends ListenAddress | null>(address: Address, port: number | undefined): Address =>
  address === null || address.port !== 0 || port === undefined ? address : { ...address, port }

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
