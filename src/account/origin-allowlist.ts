import { domainToASCII } from 'node:url'

/** The longest origin that can match: a scheme, a host name of 253 characters and a port. */
const originCharsMax = 280

/** What a browser may send as an `Origin`'s scheme, and the port it leaves out; the last three are web views of apps. */
const defaultPorts: ReadonlyMap<string, string> = new Map([
  ['https', '443'],
  ['http', '80'],
  ['capacitor', ''],
  ['ionic', ''],
  ['tauri', ''],
])

/** The origins whose pages may post to an account (spec, "CORS behaviour"; docs/site-folder.md, `origins`). */
export interface OriginAllowlist {
  /** Whether the `Origin` header's value is allowed. Compares with what browsers send: lower case, no default port. */
  allows(origin: string): boolean
  /** Whether the host, lower-case and in punycode, is that of an allowlisted origin, whatever its scheme and port. */
  allowsHost(host: string): boolean
}

/**
 * Compiles the allowlist for repeated look-ups. `https://*.acme.example` stands for one or more labels before
 * `.acme.example`; scheme and port are always exact. A pattern with a fault matches nothing; `null` never matches.
 */
export function compileOriginAllowlist(patterns: readonly string[]): OriginAllowlist {
  const exactOrigins = new Set<string>()
  const exactHosts = new Set<string>()
  const wildcards: Wildcards = { bySuffix: new Map(), suffixCharsMax: 0 }
  for (const text of patterns) {
    const pattern = readPattern(text)
    if (typeof pattern === 'string') continue
    const { scheme, host, port, isWildcard } = pattern
    if (isWildcard) addWildcard(wildcards, host, scheme + port)
    else exactOrigins.add(`${scheme}://${host}${port}`)
    if (!isWildcard) exactHosts.add(host)
  }
  return {
    allows: (origin) =>
      exactOrigins.has(origin) || (wildcards.suffixCharsMax > 0 && matchesWildcard(origin, wildcards)),
    allowsHost: (host) => exactHosts.has(host) || underWildcard(host, wildcards, () => true),
  }
}

/** Why an allowlist pattern can never match, in words for the operator; `null`: it can. */
export function originPatternFault(pattern: string): string | null {
  const read = readPattern(pattern)
  return typeof read === 'string' ? read : null
}

/** The host behind a pattern's `*.`, lower-case and in punycode; `null`: it has none. */
export function wildcardSuffix(pattern: string): string | null {
  const read = readPattern(pattern)
  return typeof read !== 'string' && read.isWildcard ? read.host : null
}

interface OriginPattern {
  scheme: string
  /** Lower-case, in punycode, without the `*.`. */
  host: string
  /** With its colon; empty for the scheme's default. */
  port: string
  isWildcard: boolean
}

interface Wildcards {
  /** Schemes and ports, such as `http:8080`, by the suffix after `*.`. */
  bySuffix: Map<string, Set<string>>
  /** The length of the longest suffix; 0: there are none. */
  suffixCharsMax: number
}

function addWildcard(wildcards: Wildcards, suffix: string, schemeAndPort: string): void {
  const schemesAndPorts = wildcards.bySuffix.get(suffix) ?? new Set()
  wildcards.bySuffix.set(suffix, schemesAndPorts.add(schemeAndPort))
  wildcards.suffixCharsMax = Math.max(wildcards.suffixCharsMax, suffix.length)
}

/** An origin as a browser writes it. Names only: an address has no wildcard, and exact origins are a look-up. */
const originSyntax = /^([a-z]+):\/\/([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)(:[0-9]{1,5})?$/

function matchesWildcard(origin: string, wildcards: Wildcards): boolean {
  if (origin.length > originCharsMax) return false
  const parts = originSyntax.exec(origin)
  if (parts === null) return false
  const [, scheme = '', host = '', port = ''] = parts
  return underWildcard(host, wildcards, (schemesAndPorts) => schemesAndPorts.has(scheme + port))
}

/**
 * Walks the host's suffixes, from its second label on, so that `*.` stands for at least one label, and from where they
 * can match, so that a host of a hundred labels costs no more than another.
 */
function underWildcard(
  host: string,
  wildcards: Wildcards,
  accepts: (schemesAndPorts: ReadonlySet<string>) => boolean,
): boolean {
  const start = Math.max(1, host.length - wildcards.suffixCharsMax - 1)
  for (let dot = host.indexOf('.', start); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const schemesAndPorts = wildcards.bySuffix.get(host.slice(dot + 1))
    if (schemesAndPorts !== undefined && accepts(schemesAndPorts)) return true
  }
  return false
}

function readPattern(text: string): OriginPattern | string {
  if (text === '*' || text === 'null')
    return `'${text}' is never allowed; name the origin, e.g. "https://www.acme.example"`
  if (text.trim() !== text) return 'it begins or ends with white space'
  const parts = /^([^:/?#]+):\/\/([^/?#]*)(.*)$/s.exec(text)
  if (parts === null) return 'its scheme is missing; write e.g. "https://www.acme.example"'
  const [, scheme = '', authority = '', rest = ''] = parts
  if (!defaultPorts.has(scheme.toLowerCase()))
    return `no page has an origin with the scheme '${scheme}'; write https or http`
  if (rest === '/') return 'an origin ends with its host or port; leave out the trailing slash'
  if (rest !== '') return 'an origin has no path; leave out what follows the host'
  if (authority.includes('@')) return 'an origin holds no user name or password'
  return readAuthority(scheme.toLowerCase(), authority)
}

function readAuthority(scheme: string, authority: string): OriginPattern | string {
  const parts = /^(\*\.)?(\[[0-9a-f:.]+\]|[^:[\]]+)(?::([0-9]{1,5}))?$/i.exec(authority)
  if (parts === null) return 'its host or port is not valid'
  const [, wildcard, name = '', port] = parts
  if (name.includes('*'))
    return '\'*\' may only stand for whole labels at the front of a host, as in "https://*.acme.example"'
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65535)) return 'a port is 1 to 65535'
  const host = browserHost(name)
  if (host === null) return `'${name}' is not a valid host name`
  if (wildcard !== undefined && isAddress(host)) return "an IP address has no names under it; leave out the '*.'"
  return { scheme, host, port: browserPort(scheme, port), isWildcard: wildcard !== undefined }
}

/** The host as a browser writes it in an origin; `null`: no host. */
function browserHost(name: string): string | null {
  if (name.startsWith('[')) return URL.parse(`http://${name}`)?.host ?? null
  const host = hostNameWritten.test(name) ? domainToASCII(name) : ''
  const hasOnlyLabels = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(host)
  return hasOnlyLabels && host.length <= 253 ? host : null
}

/** Letters and digits of any script. The URL parser behind `domainToASCII` would skip a tab or stop at a backslash. */
const hostNameWritten = /^[\p{L}\p{M}\p{N}._-]+$/u

const isAddress = (host: string): boolean => host.startsWith('[') || /(?:^|\.)[0-9]+$/.test(host)

function browserPort(scheme: string, port: string | undefined): string {
  const isDefault = port === undefined || String(Number(port)) === defaultPorts.get(scheme)
  return isDefault ? '' : `:${Number(port)}`
}
