import { canonicalAddress } from '../../lib/ip.ts'
import { persistRecordFits } from '../acme/persist-record.ts'
import { addressFault, type PlacedAddress } from './address-words.ts'
import { caaVerdict } from './caa.ts'
import { caaFault } from './caa-words.ts'
import { dnsFault } from './dns-words.ts'
import { answerAt, type NameSight } from './observe-name.ts'
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
  /** Epoch milliseconds. */
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

function leadsElsewhere(sight: NameSight, circumstances: Circumstances): string | null {
  const { targets } = circumstances
  if (sight.reached.length === 0) return dnsFault(sight, targets)
  return addressFault(sight, placed(sight, circumstances.addresses), circumstances)
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
