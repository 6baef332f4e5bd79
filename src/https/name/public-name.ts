import { getDomain, parse } from 'tldts'
import { ipVersion } from '../../lib/ip.ts'

/** Reserved for uses outside public DNS (RFC 2606, RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, ICANN on .internal). */
const reserved = ['localhost', 'local', 'internal', 'test', 'example', 'invalid', 'onion', 'alt', 'arpa']
/** No authority accepts underscores, and DNS limits the length (RFC 1035 section 2.3.4). */
const hostname = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const wholeHost = { extractHostname: false, validateHostname: false }

/**
 * Why no public authority can issue a certificate for a host, as a sentence; `null`: authorities can.
 *
 * Only the first section of the Public Suffix List counts, the registries' suffixes: `acme.github.io` is an ordinary name, and so is
 * `github.io`, though its owner hands out names below it. A name under an unknown suffix is not in public DNS.
 *
 * @param host lower-case, IDN as punycode, without a port
 */
export function whyNotPublic(host: string): string | null {
  if (ipVersion(host) !== null) return `${host} is an address: certificates are issued for names.`
  if (!hostname.test(host)) return `${host} is not a host name.`
  const last = host.slice(host.lastIndexOf('.') + 1)
  if (reserved.includes(last))
    return `Names that end in .${last} are not in public DNS: no authority issues a certificate for them.`
  const { domain, isIcann, publicSuffix } = parse(host, { ...wholeHost, allowPrivateDomains: false })
  if (isIcann !== true)
    return `Public DNS has no names that end in .${last}: no authority issues a certificate for ${host}.`
  if (domain === null)
    return `${publicSuffix} is a suffix that names are registered under: no authority issues a certificate for the suffix itself.`
  return null
}

/**
 * The domain to which authorities' limits apply: `acme.example` for `go.acme.example`. Here the whole list counts, so
 * `acme.github.io` is a domain of its own. A host without a registered domain stands for itself.
 *
 * @param host lower-case, IDN as punycode, without a port
 */
export const registeredDomain = (host: string): string =>
  getDomain(host, { ...wholeHost, allowPrivateDomains: true }) ?? host

/**
 * Whether anybody may register names under this one: `co.uk`, and `github.io` of the list's private section.
 *
 * @param host lower-case, IDN as punycode, without a port
 */
export function isPublicSuffix(host: string): boolean {
  const { domain, isIcann, isPrivate } = parse(host, { ...wholeHost, allowPrivateDomains: true })
  return domain === null && (isIcann === true || isPrivate === true)
}
