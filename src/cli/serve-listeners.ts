import type { Config, ListenAddress } from '../config/config.ts'
import { type Listener, startListener } from '../listener/listener.ts'
import type { ListenerParts } from '../listener/listener-parts.ts'
import { listenFault } from './address-taken.ts'
import { startHttps } from './serve-https.ts'

export interface Listeners {
  all: Pick<Listener, 'stop'>[]
  /** Where `[server] listen` was bound; empty: it is closed. */
  plain: { host?: string; port?: number }
}

/** Binds every address, or none. */
export async function startListeners(parts: ListenerParts, config: Config): Promise<Listeners> {
  const https = await startHttps(parts, config)
  const { listen: address } = config.server
  if (address === null) return { all: https, plain: {} }
  try {
    const listener = startPlain(parts, address)
    return { all: [listener, ...https], plain: { host: address.host, port: listener.port } }
  } catch (error) {
    await Promise.all(https.map((listener) => listener.stop(0)))
    throw error
  }
}

function startPlain(parts: ListenerParts, address: ListenAddress): Listener {
  try {
    return startListener(parts, address)
  } catch (error) {
    throw listenFault(error, address, '[server] listen')
  }
}
