import { sign } from '../../lib/sign.ts'
import type { DnsServerAddress } from './dns-lookup.ts'

/** The TXT record by which whoever runs a name's DNS lets one account connect it. */
export interface DomainRecord {
  name: string
  value: string
}

/** @param secret of the box's key of the purpose `domain` */
export const domainRecord = (host: string, accountId: string, secret: Uint8Array): DomainRecord => ({
  name: `_capture.${host}`,
  // Neither host nor id contains a line feed, so the text is unambiguous.
  value: `capture-domain=${sign(secret, `domain 1\n${accountId}\n${host}`)}`,
})

/** As a DNS provider's page and a zone file have it. */
export const domainRecordLine = ({ name, value }: DomainRecord): string => `${name} TXT "${value}"`

const lookUpMsMax = 2000

/** `missing`: it is not in the DNS. `failed`: no server answered, with the code. Never throws because of the result. */
export type DomainRecordSight = { kind: 'there' | 'missing' } | { kind: 'failed'; code: string }

/** Looks the record up. @param resolvers of `[https] resolvers`; empty: the system's */
export async function seeDomainRecord(
  { name, value }: DomainRecord,
  resolvers: readonly DnsServerAddress[],
): Promise<DomainRecordSight> {
  // Sockets take longer to load than most commands run, and most names need no record.
  const { DnsLookup } = await import('./dns-lookup.ts')
  const answer = await new DnsLookup(resolvers, lookUpMsMax).texts(name, AbortSignal.timeout(lookUpMsMax))
  if (answer.kind === 'failed') return answer
  return { kind: answer.kind === 'records' && answer.records.includes(value) ? 'there' : 'missing' }
}
