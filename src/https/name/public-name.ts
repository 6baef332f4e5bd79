import { getDomain, parse } from 'tldts'
import { ipVersion } from '../../lib/ip.ts'

/** Set aside for other uses than the world's DNS (RFC 2606, RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, ICANN on .internal). */
const reserved = ['localhost', 'local', 'internal', 'test', 'example', 'invalid', 'onion', 'alt', 'arpa']
/** No authority vouches for an underscore, and DNS holds no longer name (RFC 1035 section 2.3.4). */
const hostname = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const wholeHost = { extractHostname: false, validateHostname: false }

/**
 * Why no public authority can issue a certificate for a host, as a sentence; `null`: one can.
 *
 * What counts is what registries delegate, the first section of the Public Suffix List: `acme.github.io` is a name like any
 * other, and so is `github.io`, though its owner lends names below it. A name under an unknown suffix is not in the world's DNS.
 *
 * @param host lower-case, IDN as punycode, without a port
 */
export function whyNotPublic(host: string): string | null {
  if (ipVersion(host) !== null) return `${host} is an address: certificates are issued for names.`
  if (!hostname.test(host)) return `${host} is no host name.`
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
 * The name that an authority's limits are counted by: `acme.example` of `go.acme.example`. Here the whole list holds, so
 * that `acme.github.io` counts for itself. A host that nothing is registered under counts for itself too.
 *
 * @param host lower-case, IDN as punycode, without a port
 */
export const registeredDomain = (host: string): string =>
  getDomain(host, { ...wholeHost, allowPrivateDomains: true }) ?? host
