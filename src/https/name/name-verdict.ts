import { canonicalAddress } from '../../lib/ip.ts'
import { plural } from '../../lib/quantities.ts'
import { persistRecordFits } from '../acme/persist-record.ts'
import { type CaaRecord, type CaaVerdict, caaText, caaVerdict } from './caa.ts'
import { aliasOf, answerAt, type NameSight, type Reached } from './observe-name.ts'
import type { RecordTargets } from './own-addresses.ts'

/** Whether an order can succeed; `reason`: one sentence with advice. */
type NameVerdict = { ready: true } | { ready: false; reason: string }

export interface Circumstances {
  /** `[https] addresses`; empty: determined by the box's request to itself. */
  addresses: readonly string[]
  /** The result of `recordTargets`. */
  targets: RecordTargets
  /** The authority's CAA names; empty: unknown, so any name is accepted. */
  caaIdentities: readonly string[]
  /** URL of the box's account at the authority; `null`: there is none yet. */
  accountUrl: string | null
  now: number
}

/** Judges an observation: whether the addresses lead here, port 80 is this box's and CAA allows the authority. */
export function nameVerdict(sight: NameSight, circumstances: Circumstances): NameVerdict {
  const isPersisted = hasPersistRecord(sight, circumstances)
  const reason =
    (isPersisted ? null : leadsElsewhere(sight, circumstances)) ?? caaReason(sight, circumstances, isPersisted)
  return reason === null ? { ready: true } : { ready: false, reason }
}

/** `dns-persist-01` does not use port 80. */
function hasPersistRecord({ persist }: NameSight, { caaIdentities, accountUrl, now }: Circumstances): boolean {
  if (accountUrl === null) return false
  return persist.some((record) => persistRecordFits(record, { issuers: caaIdentities, accountUrl, now }))
}

/** Why the name's records do not lead every visitor to this box, and what to do; `null`: they do. */
export function leadsElsewhere(
  sight: NameSight,
  { addresses, ...circumstances }: Pick<Circumstances, 'addresses' | 'targets'> & { isBehindProxy?: boolean },
): string | null {
  if (sight.reached.length === 0) return dnsFault(sight, circumstances.targets)
  return addressFault(sight, placed(sight, addresses), circumstances)
}

/** Where each address of the name leads, as far as known. */
function placed({ reached }: NameSight, written: readonly string[]): PlacedAddress[] {
  const addresses = written.map((address) => canonicalAddress(address) ?? address)
  return reached.map((seen) => {
    const { address, status } = seen
    const isListed = addresses.includes(canonicalAddress(address) ?? address)
    const answer = answerAt(seen, addresses)
    const place =
      answer === 'ours' || (isListed && answer === 'unknown')
        ? 'here'
        : isListed || addresses.length === 0
          ? answer
          : 'elsewhere'
    return { address, status, isListed, place }
  })
}

function caaReason({ host, caa }: NameSight, { caaIdentities, accountUrl }: Circumstances, isPersisted: boolean) {
  if (caa === null) return null
  if ('failed' in caa) return caaFault(host, caa, caaIdentities)
  const method = isPersisted ? 'dns-persist-01' : 'http-01'
  const verdict = caaVerdict(caa.records, { identities: caaIdentities, accountUrl, method })
  return verdict === 'allowed' ? null : caaFault(host, { holder: caa.holder, verdict }, caaIdentities)
}

/** An address of a name and where it leads. */
interface PlacedAddress {
  address: string
  /** Whether `[https] addresses` has it. */
  isListed: boolean
  /** `elsewhere`: not in the configuration, and not proven to be this box. */
  place: 'here' | 'elsewhere' | Exclude<Reached['answer'], 'ours'>
  status: number | null
}

/** The worst fault of a name's addresses; `null`: none. */
function addressFault(
  sight: NameSight,
  placed: PlacedAddress[],
  { targets, isBehindProxy }: { targets: RecordTargets; isBehindProxy?: boolean },
): string | null {
  const wrong = placed.filter(({ place }) => place !== 'here')
  const here = placed.filter(({ place }) => place === 'here')
  // Authorities validate over IPv6 first. If IPv6 is proven, an IPv4 address that this box cannot check is no obstacle.
  if (here.some(isIpv6) && wrong.every((one) => !isIpv6(one) && one.place === 'unknown')) return null
  const [worst] = wrong.toSorted((one, other) => gravity.indexOf(one.place) - gravity.indexOf(other.place))
  if (worst === undefined) return null
  if (here.length > 0) return partlyHere(sight.host, { here, worst, targets })
  switch (worst.place) {
    case 'elsewhere':
      return elsewhere(sight, wrong, targets)
    case 'other':
      return isBehindProxy ? otherProxy(sight.host, worst, targets) : otherServer(sight.host, worst, targets)
    case 'none':
      return `${sight.host} leads to ${worst.address}, where nothing answers on port 80: open port 80 in the firewall if that is this box, or ${changedRecord(targets)}.`
    default:
      return `${sight.host} leads to ${worst.address}, which does not answer this box on port 80: open port 80 in the firewall, and if this box cannot reach its own public address from inside, add it to \`[https] addresses\`.`
  }
}

const gravity: PlacedAddress['place'][] = ['elsewhere', 'other', 'none', 'unknown']

const isIpv6 = ({ address }: PlacedAddress): boolean => address.includes(':')

function elsewhere(sight: NameSight, wrong: PlacedAddress[], targets: RecordTargets): string {
  const { host } = sight
  const alias = aliasOf(sight)
  const addresses = wrong.map(({ address }) => address).join(' and ')
  if (alias !== null)
    return `${host} is an alias (CNAME) of ${alias}, which leads to ${addresses} and not to this box: replace the CNAME record by ${newRecord(targets)}.`
  const ipv6 = wrong.some(isIpv6) && targets.aaaa === null ? ' and remove its AAAA record' : ''
  const both =
    wrong.some(isIpv6) && targets.aaaa !== null && targets.a !== null ? ` and its AAAA record to ${targets.aaaa}` : ''
  return `${host} leads to ${addresses}, not to this box: ${changedRecord(targets)}${ipv6}${both}.`
}

function otherServer(host: string, { address, isListed, status }: PlacedAddress, targets: RecordTargets): string {
  const how = status !== null && status >= 300 && status < 400 ? ' with a redirect' : ''
  if (isListed)
    return `${host} leads to ${address}, where another server answers on port 80${how}: free that port for this box, or have the router forward it here.`
  return `${host} leads to ${address}, where another server answers on port 80${how}: ${changedRecord(targets)}, or free port 80 if that is this machine.`
}

const otherProxy = (host: string, { address }: PlacedAddress, targets: RecordTargets): string =>
  `${host} leads to ${address}, where another server answers: ${changedRecord(targets)}, or, if that is the proxy in front of this box, have it pass ${host} on to the box.`

interface Partly {
  here: PlacedAddress[]
  worst: PlacedAddress
  targets: RecordTargets
}

/** One address is this box's and another is not. Authorities and visitors may use either. */
function partlyHere(host: string, { here, worst, targets }: Partly): string {
  const { address, place } = worst
  const type = isIpv6(worst) ? 'AAAA' : 'A'
  const others = here.map((one) => one.address).join(' and ')
  const found = `${host} leads here with ${others}, but ${address} ${partlyText[place]}`
  const better =
    isIpv6(worst) && targets.aaaa !== null && targets.aaaa !== address ? `, or set it to ${targets.aaaa}` : ''
  const listed = place === 'unknown' ? ', or add the address to `[https] addresses` if it is this box' : ''
  if (worst.isListed) return `${found}: free port 80 there, or remove the ${type} record.`
  return `${found}: remove that ${type} record${better}${listed}.`
}

const partlyText: Record<PlacedAddress['place'], string> = {
  here: 'does too',
  elsewhere: 'leads elsewhere',
  other: 'is answered by another server',
  none: 'refuses connections on port 80',
  unknown: 'does not answer this box',
}

/** Why a name has no address, and what to do. */
function dnsFault(sight: NameSight, targets: RecordTargets): string {
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
    return `No DNS server answers queries for ${host}: check the network of this machine, and \`[https] resolvers\` or \`/etc/resolv.conf\`.`
  return `The DNS server of this machine does not look up ${host} (${code}): set another one in \`[https] resolvers\`.`
}

const unknownTarget = 'the public address of this box'

/** For a missing record: `an A record with 198.51.100.4`. */
function newRecord({ a, aaaa }: RecordTargets): string {
  if (a === null && aaaa !== null) return `an AAAA record with ${aaaa}`
  return `an A record with ${a ?? unknownTarget}`
}

/** For an existing record: `set its A record to 198.51.100.4`. */
function changedRecord({ a, aaaa }: RecordTargets): string {
  if (a === null && aaaa !== null) return `set its AAAA record to ${aaaa}`
  return `set its A record to ${a ?? unknownTarget}`
}

/** Limits the authorities named in a sentence; a record set may have hundreds. */
const namesShown = 5

type Found = { failed: string; at: string } | { holder: string; verdict: Exclude<CaaVerdict, 'allowed'> }

/** Why CAA records keep an authority from issuing, and what to do. */
function caaFault(host: string, found: Found, identities: readonly string[]): string {
  if ('failed' in found)
    return `The CAA records of ${found.at} cannot be looked up (${found.failed}), and authorities refuse to issue then: ask its DNS provider to fix that.`
  const { holder, verdict } = found
  const where = holder === host ? holder : `${holder}, which apply to ${host},`
  if ('critical' in verdict)
    return `${holder} has a critical CAA record that authorities do not know, so they refuse to issue: remove ${caaText(verdict.critical)}.`
  const [identity] = identities
  const names = [...new Set(verdict.forbids.map(issuerOf))]
  if (identity === undefined || names.every((name) => name === ''))
    return `The CAA records of ${where} let nobody issue certificates: add ${wanted(identity)}.`
  if (names.some((name) => identities.includes(name)))
    return `The CAA records of ${where} restrict ${identity} to another account or another way of validation: add ${wanted(identity)}.`
  const others = names.filter((name) => name !== '').toSorted()
  const more =
    others.length > namesShown ? ` and ${plural(others.length - namesShown, 'more authority', 'more authorities')}` : ''
  const allowed = others.slice(0, namesShown).join(' and ') + more
  return `The CAA records of ${where} let only ${allowed} issue certificates: add ${wanted(identity)}.`
}

const wanted = (identity: string | undefined): string =>
  identity === undefined ? 'one that names your authority' : `0 issue "${identity}"`

const hostPattern = /^[a-z0-9.-]{0,253}$/

/** `''`: nobody. */
function issuerOf({ value }: CaaRecord): string {
  const issuer = value.split(';')[0]?.trim().toLowerCase() ?? ''
  return hostPattern.test(issuer) ? issuer : 'another authority'
}
