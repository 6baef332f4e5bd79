import type { DomainStatus } from '../../https/domain-status.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { type CheckResult, firstResults, ok, type ResultPage, warning } from '../check-result.ts'
import { triedAgain, whyGivenUp } from '../domain/domain-statuses.ts'

const check = 'certificate'
/** A certificate with less of its lifetime left has a failing or forgotten renewal. */
const lastPart = 1 / 4
/** Limits the names in one line. */
const namesShown = 5
/** Limits the warnings for single names; `domain list` shows the rest. */
const warningsMax = 10

export interface CertificateCircumstances {
  mode: 'auto' | 'files'
  /** Whether a service runs. Without one, nothing is ordered or renewed. */
  isRunning: boolean
  /** Absolute; for mode `files`. */
  folder: string
  /** Epoch milliseconds. */
  now: number
}

/** One warning for each name that needs attention, and one line for all sound names, from the states of `domain list`. */
export function certificateChecks(statuses: DomainStatus[], circumstances: CertificateCircumstances): CheckResult[] {
  const unwell = statuses.flatMap((status) => unwellCheck(status, circumstances) ?? [])
  return [
    ...(circumstances.mode === 'auto' && !circumstances.isRunning ? [noService] : []),
    ...firstResults(unwell, warningsMax, moreUnwell),
    ...wellChecks(statuses.filter((status) => unwellCheck(status, circumstances) === null)),
  ]
}

const moreUnwell = (more: number): CheckResult =>
  warning(
    check,
    `${plural(more, 'more name')} ${more === 1 ? 'has' : 'have'} the same problem.`,
    'capture domain list',
    {
      page: {
        name: 'domains',
        account: null,
        todo: 'The page Domains of each account shows its names; {page} are on this page.',
      },
    },
  )

const noService = warning(
  check,
  'No service is running on this box, so no certificate is ordered or renewed.',
  'Start `capture serve`, or the service: systemctl start capture',
)

function unwellCheck(status: DomainStatus, { mode, folder, now }: CertificateCircumstances): CheckResult | null {
  const { host, account, state, reason, certificate } = status
  const name = `${host} (${account ?? 'the preview host'})`
  if (state === 'waiting' || state === 'failing') {
    const has =
      certificate === null ? 'has no certificate' : `has its certificate until ${timestamp(certificate.notAfter)}`
    return warning(check, `${name} ${has}: ${state}.`, reason, pageOf(status))
  }
  if (state === 'off' || certificate === null) return null
  const { notBefore, notAfter } = certificate
  const left = notAfter - now
  if (left >= (notAfter - notBefore) * lastPart) return null
  const found =
    left <= 0
      ? `The certificate of ${name} has expired: browsers refuse its pages.`
      : `The certificate of ${name} is in the last quarter of its life: it ends at ${timestamp(notAfter)}.`
  if (mode === 'files') return warning(check, found, `Put a new one into ${folder}.`)
  const advice = `\`capture domain check ${host}\` says why it is not renewed.`
  return warning(check, found, advice, {
    page: { name: 'domains', account, todo: '“Check now” under {page} says why it is not renewed.' },
  })
}

/** The advice names a command once the box stops trying. */
function pageOf({ host, account, reason }: DomainStatus): { page?: ResultPage } {
  const why = whyGivenUp({ host, reason })
  return why === null ? {} : { page: { name: 'domains', account, todo: `${why} ${triedAgain} under {page}.` } }
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
            `${plural(active.length, 'name')} ${active.length === 1 ? 'has its' : 'have their'} certificate, the first to end at ${timestamp(Math.min(...ends))}: ${listedHosts(active)}.`,
          ),
        ]),
    ...(off.length === 0
      ? []
      : [ok(check, `No authority issues for ${listedHosts(off)}: public DNS does not hold such names.`)]),
  ]
}

/** Names the first few and counts the rest. */
export function listedHosts(hosts: readonly { host: string }[]): string {
  const names = hosts
    .slice(0, namesShown)
    .map(({ host }) => host)
    .join(', ')
  const more = hosts.length - namesShown
  return more > 0 ? `${names} and ${plural(more, 'more name')}` : names
}
