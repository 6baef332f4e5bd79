import { plural, timestamp } from '../../lib/quantities.ts'
import { type Finding, ok, warning } from './finding.ts'
import type { ObservedHost } from './observed-host.ts'
import type { Certificate } from './port.ts'

const check = 'domain'
const dayMs = 86_400_000
/** Certificates are renewed with a third of their time left; one that has less than this was forgotten. */
const renewalMsMax = 14 * dayMs
const renewalShare = 1 / 4

export interface Circumstances {
  /** Epoch milliseconds. */
  now: number
  /** `listen` takes connections of this machine alone. */
  listensHereAlone: boolean
}

/** What was observed of a host, as one finding for each thing to mend, or one that says that all is well. */
export function domainFindings(observed: ObservedHost, circumstances: Circumstances): Finding[] {
  const { host, of, lookup, addresses, port } = observed
  const name = `${host} (${of})`
  if ('unasked' in lookup) {
    return [
      warning(
        check,
        `${name} could not be looked up (${lookup.unasked}).`,
        `Look at its records at your DNS provider, and at the DNS of this machine: dig ${host}`,
      ),
    ]
  }
  if (lookup.addresses.length === 0) {
    return [
      warning(
        check,
        `${name} has no address in the DNS.`,
        'Add an A record with the public address of this machine at your DNS provider. A new record can take an hour to be seen.',
      ),
    ]
  }
  const silent = addresses.filter(({ silence }) => silence !== null)
  if (silent.length > 0) {
    const where = silent.map(({ address, silence }) => `${address} (${silence})`).join(', ')
    return [
      warning(check, `${name}: nothing answers on port ${port} of ${where}.`, silenceAdvice(observed, circumstances)),
    ]
  }
  const faults = addresses.flatMap(({ address, certificate }) =>
    certificateFault(certificate, observed, circumstances).map(({ found, advice }) =>
      warning(check, `${name} at ${address}: ${found}`, advice),
    ),
  )
  if (faults.length > 0) return faults
  return [ok(check, `${name} is ${lookup.addresses.join(', ')}; ${answersText(observed)}.`)]
}

function answersText({ addresses, port, scheme }: ObservedHost): string {
  if (addresses.length === 0) return 'not reachable from this machine, which has no IPv6'
  const shown = addresses.map(({ certificate }) => certificate).find((certificate) => typeof certificate === 'object')
  if (!shown) return `port ${port} answers`
  if (scheme === 'https') return `port ${port} answers with a certificate of ${describe(shown)}`
  const names = shown.namesHost ? '' : ' that does not name it'
  return `port ${port} answers, and port 443 with a certificate of ${describe(shown)}${names}`
}

/** Instead of one finding for each name, when none of several could be looked up. */
export const noDnsFinding = (count: number, unasked: string): Finding =>
  warning(
    check,
    `None of ${plural(count, 'name')} could be looked up (${unasked}): no DNS server answers this machine.`,
    'See to the network and to /etc/resolv.conf of this machine, and look again.',
  )

const describe = ({ issuer, validUntil }: Certificate): string => `${issuer}, valid until ${timestamp(validUntil)}`

function silenceAdvice({ scheme, port }: ObservedHost, { listensHereAlone }: Circumstances): string {
  const outside = 'A machine behind a router may not reach its own public address: then look from outside.'
  if (scheme === 'https')
    return `Start the TLS proxy, let the firewall pass port ${port}, and see that the address is this machine's. ${outside}`
  if (listensHereAlone) {
    return '[server] listen is open to this machine alone: put a TLS proxy in front and name it in trusted_proxies, as docs/behind-a-proxy.md has it.'
  }
  return `Start \`serve\`, let the firewall pass port ${port}, and see that the address is this machine's. ${outside}`
}

/** Only what stands where https is spoken can be at fault; what else is on port 443 is not the box's. */
function certificateFault(
  certificate: Certificate | string | null,
  { host, port, scheme }: ObservedHost,
  { now }: Circumstances,
): { found: string; advice: string }[] {
  if (certificate === null || scheme === 'http') return []
  if (typeof certificate === 'string') {
    return [
      {
        found: `port ${port} speaks no TLS (${certificate}).`,
        advice: 'Let the TLS proxy answer there, with a certificate for the host.',
      },
    ]
  }
  const { validFrom, validUntil, namesHost, distrust } = certificate
  const issued = `its certificate of ${describe(certificate)},`
  const renew = 'Renew it; see in the log of the TLS proxy why that was not done.'
  if (!namesHost)
    return [
      {
        found: `${issued} does not name ${host}.`,
        advice: 'Let the TLS proxy get one for this host: browsers refuse the page.',
      },
    ]
  if (validUntil <= now) return [{ found: `${issued} has expired: browsers refuse the page.`, advice: renew }]
  if (distrust !== null)
    return [
      {
        found: `${issued} is not trusted (${distrust}).`,
        advice: 'Let the TLS proxy send the whole chain, and use an issuer that browsers trust.',
      },
    ]
  if (validUntil - now < Math.min(renewalMsMax, (validUntil - validFrom) * renewalShare))
    return [{ found: `${issued} ends soon.`, advice: renew }]
  return []
}
