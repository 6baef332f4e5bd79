import { parseAge } from '../lib/age.ts'
import { ipVersion } from '../lib/ip.ts'
import type { Parsed } from '../lib/toml/shape.ts'

export interface ListenAddress {
  /** An IPv4 address, an IPv6 address without brackets, or `localhost`. */
  host: string
  /** 0: any free port. */
  port: number
}

/** As `capture.toml` writes it: an IPv6 address in brackets. */
export const addressText = ({ host, port }: ListenAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** How printed addresses begin. `port: null`: the scheme's own. */
type PublicUrl = 'auto' | { scheme: 'http' | 'https'; port: number | null }

/** `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`. Refuses a bare `:8080`, so that nobody opens every interface by accident. */
export function parseListen(text: string): Parsed<ListenAddress> {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (match === null || port > portMax) return { expected: listenExpected }
  const [, inBrackets, bare] = match
  if (bare === '')
    return { expected: `${listenExpected}; for every interface write "0.0.0.0:${port}" or "[::]:${port}"` }
  if (inBrackets !== undefined && ipVersion(inBrackets) === 6 && !inBrackets.includes('%'))
    return { value: { host: inBrackets, port } }
  if (bare !== undefined && (ipVersion(bare) === 4 || bare === 'localhost')) return { value: { host: bare, port } }
  return { expected: listenExpected }
}

/** `auto | http | https | https:8443 | http:8080`. */
export function parsePublicUrl(text: string): Parsed<PublicUrl> {
  if (text === 'auto') return { value: 'auto' }
  const match = /^(https?)(?::([1-9]\d{0,4}))?$/.exec(text)
  const port = match?.[2] === undefined ? null : Number(match[2])
  if (match === null || (port !== null && port > portMax)) return { expected: publicUrlExpected }
  return { value: { scheme: match[1] === 'https' ? 'https' : 'http', port } }
}

/** A CIDR, or a single address (RFC 4632 section 3.1, RFC 4291 section 2.3). */
export function parseCidr(text: string): Parsed<string> {
  const [address = '', prefix, ...rest] = text.split('/')
  const bitsMax = address.includes('%') ? null : addressBits[ipVersion(address) ?? 0]
  if (bitsMax === null || rest.length > 0) return { expected: cidrExpected }
  if (prefix === undefined) return { value: `${address}/${bitsMax}` }
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bitsMax) return { expected: cidrExpected }
  return { value: `${address}/${prefix}` }
}

export function parseDataDir(text: string): Parsed<string> {
  if (text.trim() === '') return { expected: 'a folder, such as "./data"' }
  if (text.startsWith('~')) return { fault: '"~" is not expanded here; write the whole path' }
  return { value: text }
}

export function parseFolder(text: string): Parsed<string> {
  if (text.trim() === '') return { expected: 'a folder, such as "./certificates"' }
  return parseDataDir(text)
}

/** `180d` → seconds; `0`: none. */
export function parseMaxAge(text: string): Parsed<number> {
  if (text === '0') return { value: 0 }
  const ms = parseAge(text)
  if (ms === null || ms > maxAgeMsMax) return { expected: 'an age up to 2 years such as "180d", or "0"' }
  return { value: Math.floor(ms / 1000) }
}

/** Two years; browsers' preload lists require at most one. */
const maxAgeMsMax = 2 * 366 * 86_400_000
export const portMax = 65_535
const addressBits = { 4: 32, 6: 128, 0: null } as const
const listenExpected = 'address:port such as "127.0.0.1:8080" or "[::1]:8080"'
const publicUrlExpected = '"auto", "http", "https", or a scheme with a port such as "https:8443"'
const cidrExpected = 'an address range such as "10.0.0.0/8" or "::1/128"'
