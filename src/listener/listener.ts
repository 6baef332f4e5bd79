import type { Gate } from '../lib/gate.ts'
import { type EarlyAnswering, Entrance } from './entrance.ts'
import { failedRequest } from './failed-request.ts'
import type { ListenerParts } from './listener-parts.ts'
import { type BindAddress, serveOptions } from './serve-options.ts'
import { stopGently, turnsForHead } from './stop-gently.ts'

export interface Listener {
  /** The port that was bound. */
  port: number
  /** Sets the routes. Requests wait for that, and for the gate to open. */
  lead(parts: ListenerParts): void
  /** Makes each answer ask its client to reconnect. */
  drain(): void
  /** From now on breaks off whoever still brings a request over an old connection. */
  leave(): void
  /** Stops accepting and waits for answers in flight; after `graceMs` cuts the rest. */
  stop(graceMs: number): Promise<void>
}

/** The inputs of a listener that exist before its routes. */
export type ListenerBasics = Pick<ListenerParts, 'certificates' | 'clock' | 'log' | 'previewHost'> & { gate: Gate }

/**
 * Answers plain HTTP.
 *
 * @param firstOf makes what answers some requests before the routes do
 * @throws when the address is taken
 */
export function startListener(
  basics: ListenerBasics,
  address: BindAddress,
  firstOf?: (parts: ListenerParts) => EarlyAnswering,
): Listener {
  const entrance = new Entrance(basics.gate, 'http')
  const failed = failedRequest(basics)
  const server = Bun.serve({
    ...serveOptions(address),
    error: (error) => failed(error),
    fetch: (request, server) => entrance.answer(request, server),
  })
  return {
    port: server.port ?? address.port,
    lead: (parts) => entrance.lead(parts, firstOf?.(parts)),
    drain: () => entrance.drain(),
    leave: () => entrance.leave(),
    // Where visitors are redirected, a restart must not wait for who only keeps a connection.
    stop: (graceMs) => stopGently(server, graceMs, firstOf === undefined ? turnsForHead : undefined),
  }
}
