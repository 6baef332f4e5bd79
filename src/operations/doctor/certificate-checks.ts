import type { DomainStatus } from '../../https/domain-status.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { type CheckResult, ok, warning } from './check-result.ts'

const check = 'certificate'
/** Contract section 10: with less of its life left, its renewal was forgotten or fails. */
const lastPart = 1 / 4
/** Names in one line. */
const namesShown = 5
/** Names that have a warning each; of the others `domain list` tells. */
const warningsMax = 10

export interface CertificateCircumstances {
  mode: 'auto' | 'files'
  /** Whether a service runs, which alone orders and renews. */
  isRunning: boolean
  /** Absolute; of mode `files`. */
  folder: string
  /** Epoch milliseconds. */
  now: number
}

/** What `domain list` says of every name, as far as something is to be done, and in one line what is well. */
export function certificateChecks(statuses: DomainStatus[], circumstances: CertificateCircumstances): CheckResult[] {
  const unwell = statuses.flatMap((status) => unwellCheck(status, circumstances) ?? [])
  const more = unwell.length - warningsMax
  return [
    ...(circumstances.mode === 'auto' && !circumstances.isRunning ? [noService] : []),
    ...unwell.slice(0, warningsMax),
    ...(more > 0 ? [warning(check, `So it is with ${plural(more, 'more name')}.`, 'capture domain list')] : []),
    ...wellChecks(statuses.filter((status) => unwellCheck(status, circumstances) === null)),
  ]
}

const noService = warning(
  check,
  'No service is running on this box, so that no certificate is ordered or renewed.',
  'Start `capture serve`, or the service: systemctl start capture',
)

function unwellCheck(status: DomainStatus, { mode, folder, now }: CertificateCircumstances): CheckResult | null {
  const { host, account, state, reason, certificate } = status
  const name = `${host} (${account ?? 'the preview host'})`
  if (state === 'waiting' || state === 'failing') {
    const has =
      certificate === null ? 'has no certificate' : `has its certificate until ${timestamp(certificate.notAfter)}`
    return warning(check, `${name} ${has}: ${state}.`, reason)
  }
  if (state === 'off' || certificate === null) return null
  const { notBefore, notAfter } = certificate
  const left = notAfter - now
  if (left >= (notAfter - notBefore) * lastPart) return null
  const found =
    left <= 0
      ? `The certificate of ${name} has expired: browsers refuse its pages.`
      : `The certificate of ${name} is in the last quarter of its life: it ends at ${timestamp(notAfter)}.`
  const advice =
    mode === 'auto'
      ? `\`capture domain check ${host}\` says what keeps it from its renewal.`
      : `Put a new one into ${folder}.`
  return warning(check, found, advice)
}

function wellChecks(statuses: DomainStatus[]): CheckResult[] {
  const active = statuses.filter(({ state }) => state === 'active')
  const off = statuses.filter(({ state }) => state === 'off')
  const ends = active.flatMap(({ certificate }) => certificate?.notAfter ?? [])
  return [
    ...(active.length === 0
      ? []
      : [
          ok(
            check,
            `${plural(active.length, 'name')} ${active.length === 1 ? 'has its' : 'have their'} certificate, the first to end at ${timestamp(Math.min(...ends))}: ${listed(active)}.`,
          ),
        ]),
    ...(off.length === 0
      ? []
      : [ok(check, `No authority issues for ${listed(off)}: public DNS does not hold such names.`)]),
  ]
}

/** The first few by name. */
export function listed(hosts: readonly { host: string }[]): string {
  const names = hosts
    .slice(0, namesShown)
    .map(({ host }) => host)
    .join(', ')
  const more = hosts.length - namesShown
  return more > 0 ? `${names} and ${plural(more, 'more name')}` : names
}
