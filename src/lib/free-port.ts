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
