import { OperatorError } from '../lib/operator-error.ts'
import type { Config } from './config.ts'

/** A name that is the box's own, and no account's domain. */
interface OwnHost {
  /** Lower-case, without port. */
  host: string
  use: 'preview' | 'console'
  /** Whether every name below it is the box's own too. */
  withSubdomains: boolean
}

/** What a name of the box is, for messages. */
export const ownUseWords: Readonly<Record<OwnHost['use'], string>> = {
  preview: 'the platform preview host',
  console: "the console's host",
}

/** The names of the box itself, on the same listeners as every connected domain. */
export function ownHosts({ server, console }: Pick<Config, 'server' | 'console'>): OwnHost[] {
  const preview: OwnHost = { host: server.previewHost, use: 'preview', withSubdomains: server.previewSubdomains }
  return console.host === null ? [preview] : [preview, { host: console.host, use: 'console', withSubdomains: false }]
}

/** Whether the name is this one, or one of its subdomains that are the box's too. */
export const isOwnHost = ({ host, withSubdomains }: Omit<OwnHost, 'use'>, name: string): boolean =>
  name === host || (withSubdomains && name.endsWith(`.${host}`))

/** The host below which each account has one for its previews; `null`: they have none. */
export const previewsBelow = ({ server }: Pick<Config, 'server'>): string | null =>
  server.previewSubdomains ? server.previewHost : null

/**
 * How a printed address of a host begins: `https://go.acme.example`, `http://localhost:8080` (docs/configuration.md).
 */
export function publicBase({ server, https }: Pick<Config, 'server' | 'https'>, host: string): string {
  const { publicUrl, trustedProxies, listen } = server
  if (publicUrl !== 'auto') return base(publicUrl.scheme, host, publicUrl.port)
  if (https.mode !== 'off') return base('https', host, https.listen.port)
  return trustedProxies.length > 0 ? base('https', host, null) : base('http', host, listen?.port ?? null)
}

const base = (scheme: 'http' | 'https', host: string, port: number | null): string =>
  port === null || port === standardPort[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`

const standardPort = { http: 80, https: 443 }

/** How links to the console begin that are sent to others; `null`: it has no host of its own. */
export const consoleLinkBase = (config: Pick<Config, 'console' | 'server' | 'https'>): string | null =>
  config.console.host === null ? null : publicBase(config, config.console.host)

/** What tells the box from others of the same people, and where links to its console begin. */
export const boxAddress = (config: Pick<Config, 'console' | 'server' | 'https'>) => ({
  box: config.console.host ?? 'Capture',
  link: consoleLinkBase(config),
})

/** How printed addresses of the console begin; for this machine they say `localhost`. */
export function consoleBase(config: Config): string {
  const { host, listen } = config.console
  const base = host === null ? null : publicBase(config, host)
  if (base?.startsWith('https:')) return base
  if (listen !== null) return `http://localhost:${listen.port}`
  throw new OperatorError(
    'The console is closed: set [console] listen in capture.toml, or [console] host together with [https] mode.',
  )
}
