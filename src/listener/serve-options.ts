export interface BindAddress {
  host: string
  port: number
}

/**
 * Seconds after which a silent connection is closed, and a request body that dribbles in is cut; downloads have their
 * own (see `Downloads`).
 */
const idleTimeoutSeconds = 15

/** What every listener tells Bun's server. */
export function serveOptions({ host, port }: BindAddress) {
  return {
    hostname: host,
    port,
    // Whoever takes over listens beside us for a moment. That nobody else has the port is looked at before (free-port.ts).
    reusePort: true,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    // The limit is the account's, and its answer ours: Bun's own would be a bare 413 without CORS headers.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
  }
}
