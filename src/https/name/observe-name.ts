import { isReachableFromHere } from '../../lib/network-cards.ts'
import type { ObservedName } from '../certificate-store.ts'
import { type CaaRecord, caaText, type RelevantCaa, relevantCaa } from './caa.ts'
import { type DnsAnswer, DnsLookup, type DnsServerAddress } from './dns-lookup.ts'
import { newNonce, proofPathPrefix, provesName } from './name-proof.ts'

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
  /** Whether a proxy in front of this box answers, which may redirect port 80 to its port 443. */
  isBehindProxy?: boolean
}

/** Limits the whole check. */
const lookMsMax = 15_000
/** A name usually has one or two addresses; checking more tells nothing new. */
const addressesMax = 6

/** Checks DNS, CAA and port 80 of a name. Never throws because of the result. */
export async function observeName(host: string, { resolvers, ...parts }: LookingParts): Promise<NameSight> {
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
  const reached = await Promise.all(addresses.map((address) => reach(host, address, { ...parts, signal })))
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

/**
 * Who answers on port 80 of one address: this box, another server, or nobody (`none`: connection refused). `unknown`: not
 * determined, as behind a router that does not route back to its own address.
 */
export interface Reached {
  address: string
  answer: 'ours' | 'other' | 'none' | 'unknown'
  /** The status of another server's answer; `null`: no such answer. */
  status: number | null
}

interface ReachOptions extends Omit<LookingParts, 'resolvers'> {
  signal: AbortSignal
}

const requestMsMax = 4000
/** The box's own answer is far shorter. */
const answerBytesMax = 256

/** Who answers on port 80, which authorities use (RFC 8555 section 8.3) whatever port the box listens on. */
async function reach(host: string, address: string, options: ReachOptions): Promise<Reached> {
  if (!isReachableFromHere(address)) return { address, answer: 'unknown', status: null }
  const plain = await ask(host, address, 'http', options)
  if (plain.answer === 'ours' || !options.isBehindProxy) return plain
  const secure = await ask(host, address, 'https', options)
  return secure.answer === 'ours' ? secure : plain
}

/** Requests the proof that this box serves the name (`nameProof`). Follows no redirect and reads little. */
async function ask(
  host: string,
  address: string,
  scheme: 'http' | 'https',
  { secret, signal }: ReachOptions,
): Promise<Reached> {
  const nonce = newNonce()
  const place = address.includes(':') ? `[${address}]` : address
  try {
    const response = await fetch(`${scheme}://${place}${proofPathPrefix}${nonce}`, {
      headers: { host, 'user-agent': 'Capture', 'accept-encoding': 'identity', connection: 'close' },
      redirect: 'manual',
      // The proof is signed, whatever the certificate.
      tls: { serverName: host, rejectUnauthorized: false },
      // Bypass a proxy set in the environment, which would answer instead.
      proxy: false,
      keepalive: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMsMax)]),
    })
    const isOurs = response.status === 200 && provesName(secret, host, nonce, await beginning(response))
    if (isOurs) return { address, answer: 'ours', status: null }
    await response.body?.cancel()
    return { address, answer: 'other', status: response.status }
  } catch (error) {
    return { address, answer: failureOf(error), status: null }
  }
}

const nobody = ['ECONNREFUSED', 'EHOSTUNREACH']
/** Errors that mean that another server accepted the connection. Other system errors are this machine's own. */
const somebody = /^(?!E)|^ECONNRESET$|^EPIPE$/

function failureOf(error: unknown): Reached['answer'] {
  const { name, code } = error as { name?: string; code?: string }
  if (code === undefined || name === 'TimeoutError' || name === 'AbortError') return 'unknown'
  if (nobody.includes(code)) return 'none'
  return somebody.test(code) ? 'other' : 'unknown'
}

async function beginning(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder('latin1')
  for await (const part of response.body ?? []) {
    text += decoder.decode(part.subarray(0, answerBytesMax), { stream: true })
    if (text.length >= answerBytesMax) break
  }
  return text
}
