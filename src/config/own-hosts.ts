import type { Config } from './config.ts'

/** A name that is the box's own, and no account's domain. */
export interface OwnHost {
  /** Lower-case, without port. */
  host: string
  use: 'preview' | 'console'
}

/** The names of the box itself, on the same listeners as every connected domain. */
export function ownHosts({ server, console }: Pick<Config, 'server' | 'console'>): OwnHost[] {
  const preview: OwnHost = { host: server.previewHost, use: 'preview' }
  return console.host === null ? [preview] : [preview, { host: console.host, use: 'console' }]
}
