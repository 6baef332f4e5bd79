export interface BindAddress {
  host: string
  port: number
}

/**
 * After this time a silent connection is closed and a slowly arriving body is cut. Downloads have their own limit (see
 * `Downloads`).
 */
const idleTimeoutSeconds = 15

/** Options of Bun's server for every listener. */
export function serveOptions({ host, port }: BindAddress) {
  return {
    hostname: host,
    port,
    // A process that takes over listens on the same port for a moment. free-port.ts checks for other programs.
    reusePort: true,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    // The account's limit applies instead: Bun's own answer would be a bare 413 without CORS headers.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
  }
}
