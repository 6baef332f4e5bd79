import { captureRoutes } from './capture-routes.ts'
import type { ListenerParts } from './listener-parts.ts'
import { type ListenAddress, serveOptions } from './serve-options.ts'
import { stopGently } from './stop-gently.ts'

export interface Listener {
  /** The port that was bound. */
  port: number
  /** Stops accepting and waits for what is in flight; what is still under way after `graceMs` is cut. */
  stop(graceMs: number): Promise<void>
}

/** Answers plain HTTP. @throws when the address is taken */
export function startListener(parts: ListenerParts, address: ListenAddress): Listener {
  const { server } = captureRoutes(parts, 'http', serveOptions(address)).listen({})
  if (server === null) throw new Error('Elysia did not start a server')
  return { port: server.port ?? address.port, stop: (graceMs) => stopGently(server, graceMs) }
}
