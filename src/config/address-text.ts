import type { ListenAddress } from './config.ts'

/** As `capture.toml` writes it: an IPv6 address in brackets. */
export const addressText = ({ host, port }: ListenAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
