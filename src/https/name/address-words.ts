import { changedRecord, newRecord } from './dns-words.ts'
import { aliasOf, type NameSight } from './observe-name.ts'
import type { RecordTargets } from './own-addresses.ts'
import type { Reached } from './reach.ts'

/** An address of a name and where it leads. */
export interface PlacedAddress {
  address: string
  /** Whether `[https] addresses` has it. */
  isListed: boolean
  /** `elsewhere`: not in the configuration, and not proven to be this box. */
  place: 'here' | 'elsewhere' | Exclude<Reached['answer'], 'ours'>
  status: number | null
}

/** The worst fault of a name's addresses; `null`: none. */
export function addressFault(
  sight: NameSight,
  placed: PlacedAddress[],
  { targets }: { targets: RecordTargets },
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
      return otherServer(sight.host, worst, targets)
    case 'none':
      return `${sight.host} leads to ${worst.address}, where nothing answers on port 80: open port 80 in the firewall if that is this box, or ${changedRecord(targets)}.`
    default:
      return `${sight.host} leads to ${worst.address}, which does not answer this box on port 80: open port 80 in the firewall, and if this box cannot reach its own public address from inside, add it to [https] addresses.`
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
  const listed = place === 'unknown' ? ', or add the address to [https] addresses if it is this box' : ''
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
