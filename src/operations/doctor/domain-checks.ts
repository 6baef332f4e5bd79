import type { DomainStatus } from '../../https/domain-status.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { NameOf } from '../account/account-names.ts'
import { type CheckResult, type Diagnosis, firstResults, note, ok, type ResultPage, warning } from '../check-result.ts'
import { triedAgain, whyGivenUp } from '../domain/domain-statuses.ts'
import type { Certificate, ObservedHost } from './observed-host.ts'

const dayMs = 86_400_000
/** Certificates are renewed with a third of their lifetime left. One with less than this was forgotten. */
const renewalMsMax = 14 * dayMs
const renewalShare = 1 / 4

export interface HostCircumstances {
  now: number
  /** Whether `listen` accepts connections only from this machine. */
  listensHereAlone: boolean
  /** Who has the certificates: a TLS proxy or the box. `own authority`: the box, from an authority that browsers may not trust. */
  tls: 'proxy' | 'own' | 'own authority'
}

/** One result for each problem of a host, or one that says that it is sound. */
export function domainChecks(observed: ObservedHost, circumstances: HostCircumstances): CheckResult[] {
  const { host, of, account, lookup, addresses, port } = observed
  const name = `${host} (${of})`
  const concerned = account === null ? {} : { accounts: [account] }
  if ('unasked' in lookup) {
    return [
      warning(
        'domain',
        `${name} could not be looked up (${lookup.unasked}).`,
        `Look at its records at your DNS provider, and at the DNS of this machine: \`dig ${host}\``,
        concerned,
      ),
    ]
  }
  if (lookup.addresses.length === 0) {
    return [
      warning(
        'domain',
        `${name} has no address in the DNS.`,
        'Add an A record with the public address of this machine at your DNS provider. A new record can take an hour to be seen.',
        concerned,
      ),
    ]
  }
  const silent = addresses.filter(({ silence }) => silence !== null)
  if (silent.length > 0) {
    const where = silent.map(({ address, silence }) => `${address} (${silence})`).join(', ')
    return [
      warning(
        'domain',
        `${name}: nothing answers on port ${port} of ${where}.`,
        silenceAdvice(observed, circumstances),
        concerned,
      ),
    ]
  }
  const faults = addresses.flatMap(({ address, certificate }) =>
    certificateFault(certificate, observed, circumstances).map(({ found, advice }) =>
      warning('domain', `${name} at ${address}: ${found}`, advice, concerned),
    ),
  )
  if (faults.length > 0) return faults
  return [ok('domain', `${name} is ${lookup.addresses.join(', ')}; ${answersText(observed)}.`)]
}

function answersText({ addresses, port, scheme }: ObservedHost): string {
  if (addresses.length === 0) return 'not reachable from this machine, which has no IPv6'
  const shown = addresses.map(({ certificate }) => certificate).find((certificate) => typeof certificate === 'object')
  if (!shown) return `port ${port} answers`
  if (scheme === 'https') return `port ${port} answers with a certificate of ${describe(shown)}`
  const names = shown.namesHost ? '' : ' that does not name it'
  return `port ${port} answers, and port 443 with a certificate of ${describe(shown)}${names}`
}

/** One result for all names when none of several could be looked up. */
export const noDnsCheck = (count: number, unasked: string): CheckResult =>
  warning(
    'domain',
    `None of ${plural(count, 'name')} could be looked up (${unasked}): no DNS server answers this machine.`,
    'Check the network and `/etc/resolv.conf` of this machine, and run this again.',
  )

const describe = ({ issuer, validUntil }: Certificate): string => `${issuer}, valid until ${timestamp(validUntil)}`

function silenceAdvice({ scheme, port }: ObservedHost, { listensHereAlone, tls }: HostCircumstances): string {
  const outside = 'A machine behind a router may not reach its own public address: then check from outside.'
  if (scheme === 'https' && tls === 'proxy')
    return `Start the TLS proxy, let the firewall pass port ${port}, and see that the address is this machine's. ${outside}`
  if (listensHereAlone && tls === 'proxy') {
    return '`[server] listen` accepts connections only from this machine: put a TLS proxy in front and list it in `trusted_proxies`, as docs/behind-a-proxy.md describes.'
  }
  return `Start \`serve\`, let the firewall pass port ${port}, and see that the address is this machine's. ${outside}`
}

/** Checks the certificate only on the port where the box expects https. Another program's port 443 is not its concern. */
function certificateFault(
  certificate: Certificate | string | null,
  { host, port, scheme }: ObservedHost,
  { now, tls }: HostCircumstances,
): Diagnosis[] {
  if (certificate === null || scheme === 'http') return []
  const advice = tls === 'proxy' ? proxyAdvice : ownAdvice
  if (typeof certificate === 'string') {
    return [{ found: `port ${port} speaks no TLS (${certificate}).`, advice: advice.noTls }]
  }
  const { validFrom, validUntil, namesHost, distrust } = certificate
  const issued = `its certificate of ${describe(certificate)},`
  if (!namesHost) return [{ found: `${issued} does not name ${host}.`, advice: advice.otherName }]
  if (validUntil <= now) return [{ found: `${issued} has expired: browsers refuse the page.`, advice: advice.expired }]
  if (distrust !== null && tls !== 'own authority')
    return [{ found: `${issued} is not trusted (${distrust}).`, advice: advice.distrusted }]
  // For the box's own certificates `domain list` knows more.
  const endsSoon = validUntil - now < Math.min(renewalMsMax, (validUntil - validFrom) * renewalShare)
  return endsSoon && tls === 'proxy' ? [{ found: `${issued} ends soon.`, advice: advice.expired }] : []
}

type Advice = Record<'noTls' | 'otherName' | 'expired' | 'distrusted', string>

const proxyAdvice: Advice = {
  noTls: 'Let the TLS proxy answer there, with a certificate for the host.',
  otherName: 'Let the TLS proxy get one for this host: browsers refuse the page.',
  expired: 'Renew it. The log of the TLS proxy should say why that did not happen.',
  distrusted: 'Let the TLS proxy send the whole chain, and use an issuer that browsers trust.',
}

const ownAdvice: Advice = {
  noTls: 'Another program answers there: let that port of the address lead to this box.',
  otherName: 'Another server answers there, or the service does not use the certificate yet: see its log.',
  expired: 'Another server answers there, or the service does not use the newer certificate yet: see its log.',
  distrusted: 'Use an issuer that browsers trust, and with it the certificates of its issuers.',
}

/** A certificate with less of its lifetime left has a failing or forgotten renewal. */
const lastPart = 1 / 4
const namesShown = 5
/** Limits the warnings for single names; `domain list` shows the rest. */
const warningsMax = 10

export interface CertificateCircumstances {
  mode: 'auto' | 'files'
  /** Whether a service runs. Without one, nothing is ordered or renewed. */
  isRunning: boolean
  /** Absolute; for mode `files`. */
  folder: string
  now: number
  nameOf: NameOf
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
    'certificate',
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
  'certificate',
  'No service is running on this box, so no certificate is ordered or renewed.',
  'Start `capture serve`, or the service: `systemctl start capture`',
)

function unwellCheck(
  status: DomainStatus,
  { mode, folder, now, nameOf }: CertificateCircumstances,
): CheckResult | null {
  const { host, account, state, reason, certificate } = status
  const name = `${host} (${account === null ? 'the preview host' : nameOf(account)})`
  const concerned = account === null ? {} : { accounts: [account] }
  if (state === 'waiting' || state === 'failing') {
    const found = mode === 'files' ? folderText[state] : stateText(state, certificate)
    const advice = mode === 'files' && state === 'failing' ? `${reason} Put a sound one into \`${folder}\`.` : reason
    return warning('certificate', `${name} ${found}`, advice, { ...concerned, ...pageOf(status) })
  }
  if (state === 'off' || certificate === null) return null
  const { notBefore, notAfter } = certificate
  const left = notAfter - now
  if (left >= (notAfter - notBefore) * lastPart) return null
  const found =
    left <= 0
      ? `The certificate of ${name} has expired: browsers refuse its pages.`
      : `The certificate of ${name} is in the last quarter of its life: it ends at ${timestamp(notAfter)}.`
  if (mode === 'files') return warning('certificate', found, `Put a new one into \`${folder}\`.`, concerned)
  const advice = `\`capture domain check ${host}\` says why it is not renewed.`
  return warning('certificate', found, advice, {
    page: { name: 'domains', account, todo: '“Check now” under {page} says why it is not renewed.' },
  })
}

/** Nobody orders what is put into the folder by hand. */
const folderText = { waiting: 'needs a certificate.', failing: 'has a certificate that cannot be used.' }

function stateText(state: 'waiting' | 'failing', certificate: DomainStatus['certificate']): string {
  const renewal = certificate === null ? 'certificate' : 'next certificate'
  const words = state === 'waiting' ? `waits for its ${renewal}` : `fails to get its ${renewal}`
  return certificate === null ? `${words}.` : `${words}; the one it has ends at ${timestamp(certificate.notAfter)}.`
}

/** The advice names a command once the box stops trying. */
function pageOf({ host, account, reason }: DomainStatus): { page: ResultPage } {
  const why = whyGivenUp({ host, reason })
  const todo = why === null ? {} : { todo: `${why} ${triedAgain} under {page}.` }
  return { page: { name: 'domains', account, ...todo } }
}

function wellChecks(statuses: DomainStatus[]): CheckResult[] {
  const active = statuses.filter(({ state }) => state === 'active')
  const off = statuses.filter(({ state }) => state === 'off')
  const ends = active.flatMap(({ certificate }) => certificate?.notAfter ?? [])
  const found: CheckResult[] = []
  if (active.length > 0)
    found.push(
      ok(
        'certificate',
        `${plural(active.length, 'name')} ${active.length === 1 ? 'has its' : 'have their'} certificate, the first to end at ${timestamp(Math.min(...ends))}: ${listedHosts(active)}.`,
      ),
    )
  if (off.length > 0)
    found.push(
      note(
        'certificate',
        `No authority issues certificates for names that public DNS does not hold: ${listedHosts(off)}.`,
      ),
    )
  return found
}

/** Names the first few and counts the rest. */
export function listedHosts(hosts: readonly { host: string }[]): string {
  const names = hosts.slice(0, namesShown).map(({ host }) => host)
  const more = hosts.length - namesShown
  return names.join(', ') + (more > 0 ? ` and ${plural(more, 'more name')}` : '')
}
