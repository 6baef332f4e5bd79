import { aliasOf, type NameSight } from './observe-name.ts'
import type { RecordTargets } from './own-addresses.ts'

/** Why a name has no address, and what to do. */
export function dnsFault(sight: NameSight, targets: RecordTargets): string {
  const { host, a, aaaa } = sight
  const failed = [a, aaaa].find((answer) => answer.kind === 'failed')
  if (failed?.kind === 'failed') return failureText(host, failed.code)
  const alias = aliasOf(sight)
  if (alias !== null)
    return `${host} is an alias (CNAME) of ${alias}, which has no address: replace the CNAME record by ${newRecord(targets)}.`
  const lack = a.kind === 'no-name' ? 'is not in the DNS' : 'has no address in the DNS'
  return `${host} ${lack}: add ${newRecord(targets)}.`
}

function failureText(host: string, code: string): string {
  if (code === 'SERVFAIL')
    return `The DNS servers of ${host} fail to answer (SERVFAIL): ask its DNS provider to check the zone and its DNSSEC.`
  if (['timeout', 'unreachable', 'no server'].includes(code))
    return `No DNS server answers queries for ${host}: check the network of this machine, and [https] resolvers or /etc/resolv.conf.`
  return `The DNS server of this machine does not look up ${host} (${code}): set another one in [https] resolvers.`
}

const unknownTarget = 'the public address of this box'

/** For a missing record: `an A record with 198.51.100.4`. */
export function newRecord({ a, aaaa }: RecordTargets): string {
  if (a === null && aaaa !== null) return `an AAAA record with ${aaaa}`
  return `an A record with ${a ?? unknownTarget}`
}

/** For an existing record: `set its A record to 198.51.100.4`. */
export function changedRecord({ a, aaaa }: RecordTargets): string {
  if (a === null && aaaa !== null) return `set its AAAA record to ${aaaa}`
  return `set its A record to ${a ?? unknownTarget}`
}
