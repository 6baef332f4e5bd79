import { ipVersion } from '../lib/ip.ts'

/** Limits the cached spellings of hosts. Beyond it, headers are parsed each time. */
const rememberedMax = 10_000
const hostPattern =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])(?::(\d{0,5}))?$/
const hostCharactersMax = 260

/** What a Host header names. */
export interface NamedHost {
  /** Lower-case, without port and trailing dot. */
  name: string
  /**
   * The host's origins for browsers over HTTP and HTTPS (RFC 6454 section 6.2), including a trailing dot.
   */
  httpOrigin: string
  httpsOrigin: string
}

/** Reads Host headers (RFC 9112 section 3.2). */
export class HostReader {
  private readonly remembered = new Map<string, NamedHost>()

  /** `null` when the header is missing, repeated or malformed: the answer is 400. */
  read(header: string | null): NamedHost | null {
    if (header === null) return null
    const known = this.remembered.get(header)
    if (known !== undefined) return known
    const named = namedHost(header)
    if (named !== null && this.remembered.size < rememberedMax) this.remembered.set(header, named)
    return named
  }
}

/** A repeated header arrives as "a, b", which is not a host. */
function namedHost(header: string): NamedHost | null {
  if (header.length > hostCharactersMax) return null
  const lower = header.toLowerCase()
  const match = hostPattern.exec(lower)
  if (!match || (lower.startsWith('[') && !isIpv6Literal(lower))) return null
  const digits = match[1]
  // A colon without digits means the scheme's own port (RFC 3986 section 6.2.3).
  const port = digits ? Number(digits) : null
  if (port !== null && (port < 1 || port > 65535)) return null
  const withoutPort = digits === undefined ? lower : lower.slice(0, -digits.length - 1)
  const name = withoutPort.endsWith('.') ? withoutPort.slice(0, -1) : withoutPort
  return {
    name,
    httpOrigin: originText('http', withoutPort, port),
    httpsOrigin: originText('https', withoutPort, port),
  }
}

/** Brackets contain an IPv6 address (RFC 3986 section 3.2.2). The pattern only checks its characters. */
const isIpv6Literal = (host: string): boolean => ipVersion(host.slice(1, host.indexOf(']'))) === 6

const usualPorts = { http: 80, https: 443 }

const originText = (scheme: 'http' | 'https', host: string, port: number | null): string =>
  port === null || port === usualPorts[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`
