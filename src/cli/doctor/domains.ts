import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { publicBase } from '../../config/public-url.ts'
import type { Clock } from '../../lib/clock.ts'
import { ipVersion } from '../../lib/ip.ts'
import { plural } from '../../lib/quantities.ts'
import { severalAtOnce } from '../../lib/several-at-once.ts'
import { connectedDomains } from '../../storage/sqlite/connected-domains.ts'
import { openReader } from '../../storage/sqlite/connection.ts'
import { domainFindings, noDnsFinding } from './domain-findings.ts'
import { type Finding, ok } from './finding.ts'
import { type ObservedHost, observe, type PublicHost, type World } from './observed-host.ts'

/** Hosts looked at at once: a thousand that do not answer take a minute. */
const hostsAtOnce = 64
/** Names in one line. */
const namesShown = 5

/** Reserved for other uses than the world's DNS (RFC 6761, RFC 6762, RFC 2606, ICANN's resolution on .internal). */
const privateName = /(?:^|\.)(?:localhost|test|example|invalid|internal|local)$/

/** DNS, port and certificate of every connected domain and the preview host (contract section 1, `doctor`). */
export async function examineDomains(config: Config, clock: Clock, world: World): Promise<Finding[]> {
  const hosts = publicHosts(config)
  const inWorld = hosts.filter(({ host }) => isInWorld(host))
  const observed = await severalAtOnce(inWorld, hostsAtOnce, (host) => observe(host, world))
  const circumstances = { now: clock.now(), listensHereAlone: listensHereAlone(config) }
  const findings = noneLookedUp(observed) ?? observed.flatMap((host) => domainFindings(host, circumstances))
  return [...findings, ...notLookedUp(hosts.filter(({ host }) => !isInWorld(host)))]
}

function publicHosts(config: Config): PublicHost[] {
  const preview = { host: config.server.previewHost, handle: 'the preview host' }
  return [preview, ...domainsOf(config)].map(({ host, handle }) => {
    const { protocol, port } = new URL(publicBase(config, host))
    const scheme = protocol === 'https:' ? 'https' : 'http'
    return { host, of: handle, scheme, port: port === '' ? { http: 80, https: 443 }[scheme] : Number(port) }
  })
}

/** What is wrong with the database is said elsewhere. */
function domainsOf({ dataDir }: Config): { host: string; handle: string }[] {
  const file = join(dataDir, 'capture.db')
  if (!existsSync(file)) return []
  try {
    const reader = openReader(file)
    try {
      return connectedDomains(reader)
    } finally {
      reader.raw.close()
    }
  } catch {
    return []
  }
}

const isInWorld = (host: string): boolean => ipVersion(host) === null && !privateName.test(host)

/** Whether no listener can be reached from another machine. */
const listensHereAlone = ({ server, https }: Config): boolean =>
  [server.listen, ...(https.mode === 'off' ? [] : [https.listen, https.httpListen])].every(
    (address) => address === null || isLoopback(address.host),
  )

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address.startsWith('127.')

/** One name may be at fault by itself; several that nobody answers for say something of this machine. */
function noneLookedUp(observed: ObservedHost[]): Finding[] | null {
  const [first] = observed.flatMap(({ lookup }) => ('unasked' in lookup ? [lookup.unasked] : []))
  const isNone = first !== undefined && observed.length > 1 && observed.every(({ lookup }) => 'unasked' in lookup)
  return isNone ? [noDnsFinding(observed.length, first)] : null
}

function notLookedUp(hosts: PublicHost[]): Finding[] {
  if (hosts.length === 0) return []
  const names = hosts.slice(0, namesShown).map(({ host }) => host)
  const more = hosts.length > names.length ? ` and ${plural(hosts.length - names.length, 'more name')}` : ''
  return [ok('domain', `Not looked up, since the world's DNS does not hold such names: ${names.join(', ')}${more}.`)]
}
