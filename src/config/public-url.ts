import type { Config } from './config.ts'

/**
 * How a printed address of a host begins: `https://go.acme.example`, `http://localhost:8080` (contract section 2).
 *
 * `port` is the one listened on, which differs from the configured one when that is 0.
 */
export function publicBase(config: Config, host: string, port: number = config.server.listen.port): string {
  const { publicUrl, trustedProxies } = config.server
  if (publicUrl !== 'auto') return base(publicUrl.scheme, host, publicUrl.port)
  return trustedProxies.length > 0 ? base('https', host, null) : base('http', host, port)
}

const base = (scheme: 'http' | 'https', host: string, port: number | null): string =>
  port === null || port === standardPort[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`

const standardPort = { http: 80, https: 443 }
