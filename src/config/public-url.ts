import type { Config } from './config.ts'

/**
 * How a printed address of a host begins: `https://go.acme.example`, `http://localhost:8080` (docs/configuration.md).
 */
export function publicBase({ server, https }: Config, host: string): string {
  const { publicUrl, trustedProxies, listen } = server
  if (publicUrl !== 'auto') return base(publicUrl.scheme, host, publicUrl.port)
  if (https.mode !== 'off') return base('https', host, https.listen.port)
  return trustedProxies.length > 0 ? base('https', host, null) : base('http', host, listen?.port ?? null)
}

const base = (scheme: 'http' | 'https', host: string, port: number | null): string =>
  port === null || port === standardPort[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`

const standardPort = { http: 80, https: 443 }
