import type { ObservedName } from '../kept-name.ts'
import { type CaaRecord, caaText, type RelevantCaa, relevantCaa } from './caa.ts'
import type { DnsServerAddress } from './dns-exchange.ts'
import { type DnsAnswer, DnsLookup } from './dns-lookup.ts'
import { type Reached, reach } from './reach.ts'

/** What one look at the world has shown of a name: enough for `nameVerdict`, which asks nobody. */
export interface NameSight {
  /** Lower-case, IDN as punycode. */
  host: string
  a: DnsAnswer<string>
  aaaa: DnsAnswer<string>
  caa: RelevantCaa
  /** TXT records of `_validation-persist.HOST`; empty also where they could not be looked up. */
  persist: string[]
  /** In order of the addresses, IPv6 first, as authorities ask; those beyond the limit were not asked. */
  reached: Reached[]
}

export interface LookingParts {
  /** DNS servers of `[https] resolvers`; empty: those of the system. */
  resolvers: readonly DnsServerAddress[]
  /** Secret of the box's current key of the purpose `name`. */
  secret: Uint8Array
}

/** All of one look: whatever the world does, it is over by then. */
const lookMsMax = 15_000
/** A name has one or two; more would be asked for nothing new. */
const addressesMax = 6

/** Looks at DNS, CAA and port 80 of a name. Never throws for what it finds. */
export async function observeName(host: string, { resolvers, secret }: LookingParts): Promise<NameSight> {
  const signal = AbortSignal.timeout(lookMsMax)
  const dns = new DnsLookup(resolvers)
  const [a, aaaa, caa, persist] = await Promise.all([
    dns.ask({ name: host, type: 'A' }, (record) => (record.type === 'A' ? record.data : null), signal),
    dns.ask({ name: host, type: 'AAAA' }, (record) => (record.type === 'AAAA' ? record.data : null), signal),
    relevantCaa(host, dns, signal),
    dns.texts(`_validation-persist.${host}`, signal),
  ])
  // Sorted, as DNS servers turn the order of records with each answer, and a sentence about them must not change with it.
  const addresses = [...recordsOf(aaaa).toSorted(), ...recordsOf(a).toSorted()].slice(0, addressesMax)
  const reached = await Promise.all(addresses.map((address) => reach(host, address, { secret, signal })))
  return { host, a, aaaa, caa, persist: recordsOf(persist), reached }
}

export const recordsOf = <T>(answer: DnsAnswer<T>): T[] => (answer.kind === 'records' ? answer.records : [])

/** The name that the host is an alias of. */
export const aliasOf = ({ a, aaaa }: NameSight): string | null =>
  [a, aaaa].map((answer) => (answer.kind === 'failed' ? null : answer.alias)).find((alias) => alias !== null) ?? null

/** What is told of it (`domain list`), in an order that DNS servers do not change from one answer to the next. @param addresses of `[https] addresses`, in canonical form */
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

/** The worst that was met at any address. */
function whoAnswers(sight: NameSight, addresses: readonly string[]): ObservedName['http'] {
  const answers = sight.reached.map((reached) => answerAt(reached, addresses))
  if (answers.length === 0) return sight.a.kind === 'failed' || sight.aaaa.kind === 'failed' ? 'unknown' : 'none'
  return (['other', 'none', 'unknown'] as const).find((answer) => answers.includes(answer)) ?? 'ours'
}

/** Where the configuration says that an address is ours, silence proves nothing: a router may not lead back to itself. */
export const answerAt = ({ address, answer }: Reached, addresses: readonly string[]): Reached['answer'] =>
  answer === 'none' && addresses.includes(address) ? 'unknown' : answer
