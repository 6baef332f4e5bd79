import { type ListenAddress, serveOptions } from './serve-options.ts'

/** Binds the address for a moment, alone: the port that nobody else has. @throws as a server that cannot have it */
export function freePort(address: ListenAddress): number {
  const server = Bun.serve({ ...serveOptions(address), fetch: () => new Response(null, { status: 503 }) })
  const { port } = server
  void server.stop(true)
  return port ?? address.port
}
