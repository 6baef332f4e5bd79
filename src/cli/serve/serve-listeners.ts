import type { ListenAddress } from '../../config/values.ts'
import { type Listener, startListener } from '../../listener/listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'
import { bound, type PortsInUse } from './bound.ts'
import type { ListenerStart } from './listener-start.ts'
import { startHttps } from './serve-https.ts'

export interface Listeners {
  /** The bound ports by purpose. */
  ports: PortsInUse
  /** The addresses bound for `[server] listen`; empty: closed. */
  plain: { host?: string; port?: number }
  /** Sets the source of answers. Requests wait for that, and for the gate to open. */
  lead(parts: ListenerParts): void
  /** Makes each answer ask its client to reconnect. */
  drain(): void
  /** From now on breaks off whoever still brings a request over an old connection. */
  leave(): void
  stop(graceMs: number): Promise<void>
}

/** Binds every address, or none. */
export async function startListeners(start: ListenerStart): Promise<Listeners> {
  const https = await startHttps(start)
  const { listen: address } = start.config.server
  if (address === null) return { ...together(https.listeners), ...https, plain: {} }
  try {
    const listener = startPlain(start, address)
    return {
      ...together([listener, ...https.listeners]),
      ports: { ...https.ports, plain: listener.port },
      plain: { host: address.host, port: listener.port },
      lead: (parts) => {
        listener.lead(parts)
        https.lead(parts)
      },
    }
  } catch (error) {
    await Promise.all(https.listeners.map((listener) => listener.stop(0)))
    throw error
  }
}

const startPlain = ({ basics, shared }: ListenerStart, address: ListenAddress): Listener =>
  bound({ address, key: '[server] listen', shared: shared.plain }, (at) => startListener(basics, at))

type Leaving = Pick<Listener, 'drain' | 'leave' | 'stop'>

/** Leaves several listeners at once. */
export const together = (listeners: Leaving[]): Leaving => ({
  drain: () => {
    for (const listener of listeners) listener.drain()
  },
  leave: () => {
    for (const listener of listeners) listener.leave()
  },
  stop: async (graceMs) => {
    await Promise.all(listeners.map((listener) => listener.stop(graceMs)))
  },
})
