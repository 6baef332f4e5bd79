import { ipVersion } from '../lib/ip.ts'

/**
 * Whether a Host header (RFC 9112 section 3.2) names this machine by an address, as `localhost`, or as the configuration
 * does. A website that has its own name point here (DNS rebinding) is told nothing: its visitors' browsers send that name.
 * HTTP/1.0 has no such header, and neither does any browser speak it.
 */
export function isAskedByAddress(header: string | null, listenHost: string): boolean {
  if (header === null) return true
  const [, inBrackets, bare] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(header.toLowerCase()) ?? []
  if (inBrackets !== undefined) return ipVersion(inBrackets) === 6
  return bare !== undefined && (ipVersion(bare) === 4 || bare === 'localhost' || bare === listenHost)
}
