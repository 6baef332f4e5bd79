import { type RecordTargets, recordTargets } from '../../https/name/own-addresses.ts'
import { registeredDomain, whyNotPublic } from '../../https/name/public-name.ts'
import { ipVersion } from '../../lib/ip.ts'
import type { Box } from '../box.ts'

/** The DNS records that the owner of a domain has to set. */
export interface DnsRecords {
  host: string
  /** One record for each address family of this box; `value: null`: its public address is unknown. */
  records: { type: 'A' | 'AAAA'; value: string | null }[]
  /** The target for a CNAME record instead; `null`: there is none, or the host cannot have a CNAME. */
  cname: string | null
}

/** The records of each host, without hosts that are never looked up in DNS. */
export function dnsRecords(hosts: readonly string[], { config }: Pick<Box, 'config'>): DnsRecords[] {
  const { previewHost } = config.server
  const records = addressRecords(recordTargets(config.https.addresses))
  const stable = whyNotPublic(previewHost) === null ? previewHost : null
  return hosts
    .filter((host) => ipVersion(host) === null && !isOfThisMachine(host))
    .map((host) => ({ host, records, cname: host !== stable && canBeAlias(host) ? stable : null }))
}

/** RFC 6761 section 6.3: these names always lead to the local machine. */
const isOfThisMachine = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** A registered domain has other records for its zone and so cannot be an alias (RFC 1034 section 3.6.2). */
const canBeAlias = (host: string): boolean => whyNotPublic(host) === null && registeredDomain(host) !== host

function addressRecords({ a, aaaa }: RecordTargets): DnsRecords['records'] {
  const ipv4 = { type: 'A' as const, value: a }
  const ipv6 = { type: 'AAAA' as const, value: aaaa }
  if (aaaa === null) return [ipv4]
  return a === null ? [ipv6] : [ipv4, ipv6]
}
