import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { addressText, type ListenAddress } from '../../config/values.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { ListenerBasics } from '../../listener/listener.ts'

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

/** The inputs of listeners that are available before they can answer. */
export interface ListenerStart {
  basics: ListenerBasics
  config: Config
  hosts: readonly string[]
  /** The ports of the service to take over from; empty: none. */
  shared: PortsInUse
  /** The purposes of threads that are not started again (`ThreadSurroundings`). */
  stalled: Set<string>
}

export class AddressTaken extends OperatorError {}

/**
 * The error for an address that cannot be bound; unknown errors are returned unchanged.
 *
 * @param key of `capture.toml`, such as `server.listen`
 */
function listenFault(error: unknown, listened: ListenAddress, key: string): unknown {
  const address = addressText(listened)
  switch ((error as { code?: unknown }).code) {
    case 'EADDRINUSE':
      return new AddressTaken(
        `${address} is taken: ${portHolder(listened.port)?.text ?? 'another program'} listens there. Stop that one, or set another ${key} in capture.toml.`,
      )
    case 'EACCES':
      return new OperatorError(
        `This user may not listen on ${address}. Set ${key} to a port from 1024 on, or let the program bind low ports: sudo setcap cap_net_bind_service=+ep ./capture`,
      )
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new OperatorError(
        `${address} is not an address of this machine. Set ${key} to one that is, or to 0.0.0.0 for all of them.`,
      )
    default:
      return error
  }
}

/** In /proc/net/tcp: a socket that listens. */
const listening = '0A'
const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const portAt = 1
const stateAt = 3
const inodeAt = 9

/** Whether any process listens on the port, on any address. */
export const isListenedOn = (port: number): boolean => listeningSockets(port).size > 0

interface PortHolder {
  pid: number
  /** `nginx (process 4711)` */
  text: string
}

/**
 * The process that listens on a port; `null`: unknown. Root sees all processes, other users only their own (proc(5)).
 */
export function portHolder(port: number): PortHolder | null {
  const sockets = listeningSockets(port)
  if (sockets.size === 0) return null
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    if (!namesIn(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))) continue
    return { pid: Number(pid), text: `${textOf(`/proc/${pid}/comm`).trim()} (process ${pid})` }
  }
  return null
}

/** The target of a descriptor's link: `socket:[12345]`. */
function listeningSockets(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = tables.flatMap((table) => textOf(table).split('\n').slice(1))
  const fields = lines.map((line) => line.trim().split(/\s+/))
  const found = fields.filter((field) => field[portAt]?.endsWith(suffix) && field[stateAt] === listening)
  return new Set(found.map((field) => `socket:[${field[inodeAt]}]`))
}

// Skip unreadable entries: processes end meanwhile, and most belong to other users.

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Binds the address for a moment without sharing it. Listeners share their port with their successors, which would let
 * another program of the same user join unnoticed.
 *
 * @returns the port: a free one if 0 was asked for
 * @throws like a server that cannot have the address
 */
export function freePort({ host, port }: { host: string; port: number }): number {
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    fetch: () => new Response(null, { status: 503 }),
  })
  const bound = server.port ?? port
  void server.stop(true)
  return bound
}
