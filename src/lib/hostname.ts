import { domainToASCII } from 'node:url'
import { ipVersion } from './ip.ts'

/** `value`: the name. `expected`: what would be one. */
type HostnameReading = { value: string } | { expected: string }

/**
 * Reads a host name as an operator writes it: lower-case, IDN as punycode (RFC 5891), without trailing dot. An IPv4
 * address is valid too; a port, an address with scheme or path, and a wildcard are not (RFC 1123 section 2.1).
 */
export function readHostname(text: string): HostnameReading {
  const written = text.trim().replace(/\.$/, '')
  const slip = slipIn(written)
  if (slip !== null) return { expected: slip }
  const ascii = domainToASCII(written)
  if (ipVersion(ascii) === 4) return ipVersion(written) === 4 ? { value: ascii } : { expected: notAName }
  return hostnamePattern.test(ascii) && ascii.length <= hostnameCharactersMax
    ? { value: ascii }
    : { expected: notAName }
}

/** Whether the host of a URL, as `URL.hostname` has it, is this machine. */
export const isOwnHostname = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** The same, and every name that leads to this machine alone (RFC 6761 section 6.3). */
export const leadsHere = (hostname: string): boolean => isOwnHostname(hostname) || hostname.endsWith('.localhost')

const notAName = 'a host name such as go.acme.example'
const hostnameCharactersMax = 253
const hostnamePattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

function slipIn(text: string): string | null {
  if (text.includes('://')) return 'a host name alone, without http:// or https://'
  if (text.includes('/')) return 'a host name alone, without a path'
  if (text.includes('*')) return 'one host name, without *'
  if (/^[^:]+:\d*$/.test(text)) return 'a host name alone, without a port'
  return null
}

/** The address to connect to for one that is listened on: loopback if it listens on every address. */
export function reachableHost(host: string): string {
  if (host === '::') return '::1'
  return host === '0.0.0.0' ? '127.0.0.1' : host
}
