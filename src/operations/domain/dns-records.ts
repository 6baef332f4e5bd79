import { type RecordTargets, recordTargets } from '../../https/name/own-addresses.ts'
import { registeredDomain, whyNotPublic } from '../../https/name/public-name.ts'
import { ipVersion } from '../../lib/ip.ts'
import type { Box } from '../box.ts'

/** What the owner of a domain is to set for it in the DNS. */
export interface DnsRecords {
  host: string
  /** One or two, by the families of this box's addresses; `value: null`: the box does not know its public address. */
  records: { type: 'A' | 'AAAA'; value: string | null }[]
  /** The name that a CNAME record may name instead; `null`: there is none, or the host can have no CNAME. */
  cname: string | null
}

/** The records of each host; none for hosts that no DNS server is asked about. */
export function dnsRecords(hosts: readonly string[], { config }: Pick<Box, 'config'>): DnsRecords[] {
  const { previewHost } = config.server
  const records = addressRecords(recordTargets(config.https.addresses))
  const stable = whyNotPublic(previewHost) === null ? previewHost : null
  return hosts
    .filter((host) => ipVersion(host) === null && !isOfThisMachine(host))
    .map((host) => ({ host, records, cname: canBeAlias(host) ? stable : null }))
}

/** RFC 6761 section 6.3: such names lead to the machine that asks. */
const isOfThisMachine = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** A name with other records, as each registered one has for its zone, can be no alias (RFC 1034 section 3.6.2). */
const canBeAlias = (host: string): boolean => whyNotPublic(host) === null && registeredDomain(host) !== host

function addressRecords({ a, aaaa }: RecordTargets): DnsRecords['records'] {
  const ipv4 = { type: 'A' as const, value: a }
  const ipv6 = { type: 'AAAA' as const, value: aaaa }
  if (aaaa === null) return [ipv4]
  return a === null ? [ipv6] : [ipv4, ipv6]
}
