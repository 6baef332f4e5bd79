import { ipVersion } from '../lib/ip.ts'

/**
 * Whether a Host header (RFC 9112 section 3.2) is an IP address, `localhost`, or the configured name. A website whose own name
 * points here (DNS rebinding) fails, because browsers send that name. HTTP/1.0 has no such header, but no browser uses it.
 */
export function isAskedByAddress(header: string | null, listenHost: string): boolean {
  if (header === null) return true
  const [, inBrackets, bare] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(header.toLowerCase()) ?? []
  if (inBrackets !== undefined) return ipVersion(inBrackets) === 6
  return bare !== undefined && (ipVersion(bare) === 4 || bare === 'localhost' || bare === listenHost)
}
