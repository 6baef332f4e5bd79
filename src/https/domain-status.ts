import type { CertificateFacts, PairVerdict } from './certificate-pair.ts'
import { type KeptName, type NameState, nothingObserved, type ObservedName } from './certificate-store.ts'

/** A name under which visitors reach this box. */
export interface ConfiguredDomain {
  /** Lower-case, IDN as punycode. */
  host: string
  /** Handle of the account that owns the domain; `null`: the box's own name. */
  account: string | null
  use: 'site' | 'preview' | 'console'
}

/** The state of a name for `domain list` (docs/domains.md). Instants are epoch milliseconds. */
export interface DomainStatus extends ConfiguredDomain {
  state: NameState
  /** One sentence with what to do; `''` when active. */
  reason: string
  observed: ObservedName
  /** `renewAt: null`: this box does not renew it. */
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

/** The state in mode `auto`, as stored by the service. @param kept `null`: the service has not seen the name yet */
export function keptStatus(
  domain: ConfiguredDomain,
  kept: KeptName | null,
  { isRunning }: { isRunning: boolean },
): DomainStatus {
  if (kept === null || kept.removedAt !== null) {
    const reason = isRunning
      ? 'The name is new: the service checks it within seconds.'
      : 'No service has checked the name yet: start `capture serve`, which orders its certificate.'
    return { ...domain, ...unseen, state: 'waiting', reason }
  }
  const { state, reason, observed, nextTryAt, certificate } = kept
  return { ...domain, state, reason, observed, certificate: certificate && publicPart(certificate), nextTryAt }
}

/** The state in mode `files`. @param found the host's checked pair in the folder; `null`: none */
export function folderStatus(
  domain: ConfiguredDomain,
  found: { verdict: PairVerdict; facts: CertificateFacts | null } | null,
  { folder, whyNot }: { folder: string; whyNot: string | null },
): DomainStatus {
  const { host } = domain
  if (found === null) {
    if (whyNot !== null) return offStatus(domain, whyNot)
    const reason = `Put its certificate as \`${host}.crt\` and its key as \`${host}.key\` into \`${folder}\`.`
    return { ...domain, ...unseen, state: 'waiting', reason }
  }
  const certificate = found.facts && { ...found.facts, renewAt: null }
  if ('pair' in found.verdict) return { ...domain, ...unseen, state: 'active', reason: '', certificate }
  const reason = `The certificate in \`${folder}\` cannot be used: ${found.verdict.fault}.`
  return { ...domain, ...unseen, state: 'failing', reason, certificate }
}

const publicPart = ({ issuer, serial, notBefore, notAfter, renewAt }: NonNullable<KeptName['certificate']>) => ({
  issuer,
  serial,
  notBefore,
  notAfter,
  renewAt,
})

/** Updates the state in mode `auto` after a check from outside. @param hindrance `null`: no obstacle */
export function lookedAtStatus(
  status: DomainStatus,
  { observed, hindrance, isRunning }: { observed: ObservedName; hindrance: string | null; isRunning: boolean },
): DomainStatus {
  if (status.state === 'active' || status.state === 'off') return { ...status, observed }
  if (hindrance !== null) return { ...status, observed, state: 'waiting', reason: hindrance }
  if (status.state === 'failing') return { ...status, observed }
  // The service saw the same: the name waits for the authority or its turn.
  if (isRunning && Bun.deepEquals(status.observed, observed)) return status
  const reason = isRunning
    ? 'Everything is ready: the service orders the certificate with its next attempt.'
    : 'The name is ready for a certificate, but no service is running: start `capture serve`.'
  return { ...status, observed, reason }
}
