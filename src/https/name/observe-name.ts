import type { ObservedName } from '../kept-name.ts'
import { type CaaRecord, caaText, type RelevantCaa, relevantCaa } from './caa.ts'
import type { DnsServerAddress } from './dns-exchange.ts'
import { type DnsAnswer, DnsLookup } from './dns-lookup.ts'
import { type Reached, reach } from './reach.ts'

/** The observations of one check, the input of the pure `nameVerdict`. */
export interface NameSight {
  /** Lower-case, IDN as punycode. */
  host: string
  a: DnsAnswer<string>
  aaaa: DnsAnswer<string>
  caa: RelevantCaa
  /** TXT records of `_validation-persist.HOST`; empty also if the lookup failed. */
  persist: string[]
  /** In order of the addresses, IPv6 first like authorities; addresses beyond the limit are not checked. */
  reached: Reached[]
}

interface LookingParts {
  /** DNS servers of `[https] resolvers`; empty: the system's. */
  resolvers: readonly DnsServerAddress[]
  /** Secret of the box's current key of the purpose `name`. */
  secret: Uint8Array
}

/** Limits the whole check. */
const lookMsMax = 15_000
/** A name usually has one or two addresses; checking more tells nothing new. */
const addressesMax = 6

/** Checks DNS, CAA and port 80 of a name. Never throws because of the result. */
export async function observeName(host: string, { resolvers, secret }: LookingParts): Promise<NameSight> {
  const signal = AbortSignal.timeout(lookMsMax)
  const dns = new DnsLookup(resolvers)
  const [a, aaaa, caa, persist] = await Promise.all([
    dns.ask({ name: host, type: 'A' }, (record) => (record.type === 'A' ? record.data : null), signal),
    dns.ask({ name: host, type: 'AAAA' }, (record) => (record.type === 'AAAA' ? record.data : null), signal),
    relevantCaa(host, dns, signal),
    dns.texts(`_validation-persist.${host}`, signal),
  ])
  // Sorted, because DNS servers rotate records and the reported sentence must stay the same.
  const addresses = [...recordsOf(aaaa).toSorted(), ...recordsOf(a).toSorted()].slice(0, addressesMax)
  const reached = await Promise.all(addresses.map((address) => reach(host, address, { secret, signal })))
  return { host, a, aaaa, caa, persist: recordsOf(persist), reached }
}

export const recordsOf = <T>(answer: DnsAnswer<T>): T[] => (answer.kind === 'records' ? answer.records : [])

/** The name that the host is an alias of. */
export const aliasOf = ({ a, aaaa }: NameSight): string | null =>
  [a, aaaa].map((answer) => (answer.kind === 'failed' ? null : answer.alias)).find((alias) => alias !== null) ?? null

/** The observation for `domain list`, sorted because DNS servers rotate records. @param addresses of `[https] addresses`, in canonical form */
export function observedName(sight: NameSight, addresses: readonly string[]): ObservedName {
  return {
    a: recordsOf(sight.a).toSorted(),
    aaaa: recordsOf(sight.aaaa).toSorted(),
    cname: aliasOf(sight),
    caa: caaRecordsOf(sight.caa).map(caaText).toSorted(),
    http: whoAnswers(sight, addresses),
  }
}

const caaRecordsOf = (caa: RelevantCaa): CaaRecord[] => (caa !== null && 'records' in caa ? caa.records : [])

/** The worst answer of any address. */
function whoAnswers(sight: NameSight, addresses: readonly string[]): ObservedName['http'] {
  const answers = sight.reached.map((reached) => answerAt(reached, addresses))
  if (answers.length === 0) return sight.a.kind === 'failed' || sight.aaaa.kind === 'failed' ? 'unknown' : 'none'
  return (['other', 'none', 'unknown'] as const).find((answer) => answers.includes(answer)) ?? 'ours'
}

/** Silence of a configured address counts as unknown, because a router may not route back to its own address. */
export const answerAt = ({ address, answer }: Reached, addresses: readonly string[]): Reached['answer'] =>
  answer === 'none' && addresses.includes(address) ? 'unknown' : answer
