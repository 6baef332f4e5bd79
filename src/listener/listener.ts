import type { Gate } from '../lib/gate.ts'
import { Entrance } from './entrance.ts'
import { failedRequest } from './failed-request.ts'
import type { ListenerParts } from './listener-parts.ts'
import { type BindAddress, serveOptions } from './serve-options.ts'
import { stopGently } from './stop-gently.ts'

export interface Listener {
  /** The port that was bound. */
  port: number
  /** Says what answers; until then, and until the gate is open, requests wait. */
  lead(parts: ListenerParts): void
  /** From now on each answer asks its client to connect anew. */
  drain(): void
  /** Stops accepting and waits for what is in flight; what is still under way after `graceMs` is cut. */
  stop(graceMs: number): Promise<void>
}

/** What a listener needs before there is anything to answer with. */
export type ListenerBasics = Pick<ListenerParts, 'certificates' | 'clock' | 'log' | 'previewHost'> & { gate: Gate }

/** Answers plain HTTP. @throws when the address is taken */
export function startListener(basics: ListenerBasics, address: BindAddress): Listener {
  const entrance = new Entrance(basics.gate, 'http')
  const failed = failedRequest(basics)
  const server = Bun.serve({
    ...serveOptions(address),
    error: (error) => failed(error),
    fetch: (request, server) => entrance.answer(request, server),
  })
  return {
    port: server.port ?? address.port,
    lead: (parts) => entrance.lead(parts),
    drain: () => entrance.drain(),
    stop: (graceMs) => stopGently(server, graceMs),
  }
}
