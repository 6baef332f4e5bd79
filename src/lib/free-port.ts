/**
 * Binds the address for a moment, alone. Listeners share their port with those that take over from them, which another
 * program of the same user could do as well, unless somebody looks first.
 *
 * @returns the port: one that is free, where 0 was asked for
 * @throws as a server that cannot have the address
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
