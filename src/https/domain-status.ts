import type { CertificateFacts } from './certificate-facts.ts'
import type { PairVerdict } from './certificate-pair.ts'
import { type KeptName, type NameState, nothingObserved, type ObservedName } from './kept-name.ts'

/** A name that visitors reach this box by. */
export interface ConfiguredDomain {
  /** Lower-case, IDN as punycode. */
  host: string
  /** Handle of the account whose domain it is; `null`: it is the box's own. */
  account: string | null
  use: 'site' | 'preview' | 'console'
}

/** How a name fares, as `domain list` tells it (contract section 10). Instants are epoch milliseconds. */
export interface DomainStatus extends ConfiguredDomain {
  state: NameState
  /** One sentence with what to do; `''` when active. */
  reason: string
  observed: ObservedName
  /** `renewAt: null`: nobody renews it here. */
  certificate: (CertificateFacts & { renewAt: number | null }) | null
  nextTryAt: number | null
}

const unseen = { observed: nothingObserved, certificate: null, nextTryAt: null }

/** A name that gets no certificate. */
export const offStatus = (domain: ConfiguredDomain, reason: string): DomainStatus => ({
  ...domain,
  ...unseen,
  state: 'off',
  reason,
})

/** Mode `auto`: as the service keeps it. @param kept `null`: it has not seen the name yet */
export function keptStatus(
  domain: ConfiguredDomain,
  kept: KeptName | null,
  { isRunning }: { isRunning: boolean },
): DomainStatus {
  if (kept === null || kept.removedAt !== null) {
    const reason = isRunning
      ? 'The name is new here: the service looks at it within seconds.'
      : 'No service has looked at the name yet: start `capture serve`, which orders its certificate.'
    return { ...domain, ...unseen, state: 'waiting', reason }
  }
  const { state, reason, observed, nextTryAt, certificate } = kept
  return { ...domain, state, reason, observed, certificate: certificate && publicPart(certificate), nextTryAt }
}

/** Mode `files`: as the folder has it. @param found what the folder holds for the host, looked at closely; `null`: nothing */
export function folderStatus(
  domain: ConfiguredDomain,
  found: { verdict: PairVerdict; facts: CertificateFacts | null } | null,
  { folder, whyNot }: { folder: string; whyNot: string | null },
): DomainStatus {
  const { host } = domain
  if (found === null) {
    if (whyNot !== null) return offStatus(domain, whyNot)
    const reason = `There is no certificate for the name: put ${host}.crt and ${host}.key into ${folder}.`
    return { ...domain, ...unseen, state: 'waiting', reason }
  }
  const certificate = found.facts && { ...found.facts, renewAt: null }
  if ('pair' in found.verdict) return { ...domain, ...unseen, state: 'active', reason: '', certificate }
  const reason = `The certificate in ${folder} cannot be used: ${found.verdict.fault}.`
  return { ...domain, ...unseen, state: 'failing', reason, certificate }
}

const publicPart = ({ issuer, serial, notBefore, notAfter, renewAt }: NonNullable<KeptName['certificate']>) => ({
  issuer,
  serial,
  notBefore,
  notAfter,
  renewAt,
})

/** What a look at the world has changed for a name of mode `auto`. @param hindrance `null`: nothing is in the way */
export function lookedAtStatus(
  status: DomainStatus,
  { observed, hindrance, isRunning }: { observed: ObservedName; hindrance: string | null; isRunning: boolean },
): DomainStatus {
  if (status.state === 'active' || status.state === 'off') return { ...status, observed }
  if (hindrance !== null) return { ...status, observed, state: 'waiting', reason: hindrance }
  if (status.state === 'failing') return { ...status, observed }
  // The world is as the service saw it: what the name waits for is the authority, or its turn.
  if (isRunning && Bun.deepEquals(status.observed, observed)) return status
  const reason = isRunning
    ? 'Everything is in place: the service orders the certificate with its next try.'
    : 'Nothing keeps the name from a certificate but that no service is running: start `capture serve`.'
  return { ...status, observed, reason }
}
