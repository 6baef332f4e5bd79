import { readHostname } from '../lib/hostname.ts'
import { ipVersion } from '../lib/ip.ts'
import type { Parsed } from '../lib/toml/shape.ts'
import type { ListenAddress } from './config.ts'

const knownDirectoryNames = ['letsencrypt', 'letsencrypt-staging', 'zerossl', 'google'] as const

/** A known name, or the https URL of an ACME directory (RFC 8555 section 7.1.1). */
export function parseDirectory(text: string): Parsed<string> {
  if ((knownDirectoryNames as readonly string[]).includes(text)) return { value: text }
  const url = URL.parse(text)
  if (url?.protocol === 'http:') return { fault: 'must be an https URL: anybody could forge an answer over plain HTTP' }
  return url?.protocol === 'https:' && url.username === '' ? { value: url.href } : { expected: directoryExpected }
}

export function parseEmail(text: string): Parsed<string> {
  return /^[^\s@,:;<>()"]+@[^\s@,:;<>()"]+$/.test(text)
    ? { value: text }
    : { expected: 'one e-mail address such as "ops@acme.example"' }
}

export function parseProfile(text: string): Parsed<string> {
  return /^[\w.-]{1,64}$/.test(text) ? { value: text } : { expected: 'the name of a profile such as "shortlived"' }
}

/** A public address of this box. */
export function parsePublicAddress(text: string): Parsed<string> {
  const expected = 'an IP address such as "203.0.113.7" or "2001:db8::7"'
  return ipVersion(text) === null || text.includes('%') ? { expected } : { value: text.toLowerCase() }
}

/** `9.9.9.9`, `[2620:fe::fe]:53`, `dns.example:5353`. */
export function parseResolver(text: string): Parsed<ListenAddress> {
  const expected = 'a DNS server such as "9.9.9.9", "[2620:fe::fe]:53" or "127.0.0.1:5353"'
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text)
  const host = ipVersion(text) === 6 ? text : (match?.[1] ?? match?.[2] ?? '')
  const port = Number(match?.[3] ?? dnsPort)
  if (port < 1 || port > portMax || host.includes('%')) return { expected }
  if (ipVersion(host) !== null)
    return match?.[1] !== undefined && ipVersion(host) === 4 ? { expected } : { value: { host, port } }
  const reading = readHostname(host)
  return match?.[2] !== undefined && 'value' in reading ? { value: { host: reading.value, port } } : { expected }
}

const dnsPort = 53
const portMax = 65_535
const directoryExpected = `${knownDirectoryNames.map((name) => `"${name}"`).join(', ')}, or the https URL of an ACME directory`
