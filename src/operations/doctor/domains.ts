import type { Config } from '../../config/config.ts'
import { ownHosts, publicBase } from '../../config/own-hosts.ts'
import { addressText } from '../../config/values.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import { ipVersion } from '../../lib/ip.ts'
import { plural } from '../../lib/quantities.ts'
import { severalAtOnce } from '../../lib/several-at-once.ts'
import { accountNames, type NameOf } from '../account/account-names.ts'
import { type CheckResult, ok, warning } from '../check-result.ts'
import { domainStatuses } from '../domain/domain-statuses.ts'
import { configuredDomains, previewDomains } from '../domain/list-domains.ts'
import { certificateChecks, domainChecks, type HostCircumstances, listedHosts, noDnsCheck } from './domain-checks.ts'
import type { DatabaseInspector, Inspection } from './inspection.ts'
import { type NameServers, type ObservedHost, observe, type PublicHost } from './observed-host.ts'

/**
 * Checks DNS, port and certificate of every connected domain and the preview host (docs/running.md). If the box
 * has its own certificates, names without one are reported as in `domain list`, and only the others are checked.
 */
export async function examineDomains(inspection: Inspection, nameServers: NameServers): Promise<CheckResult[]> {
  const { config, clock } = inspection
  const { mode, folder } = config.https
  const nameOf = await readNames(inspection)
  const hosts = await publicHosts(inspection, nameOf)
  if (mode === 'off') return examineHosts(hosts, inspection, nameServers)
  const statuses = await readDomainStatuses(inspection)
  const active = new Set(statuses.filter(({ state }) => state === 'active').map(({ host }) => host))
  const circumstances = { mode, folder, isRunning: inspection.isServed(), now: clock.now(), nameOf }
  return [
    ...certificateChecks(statuses, circumstances),
    ...(await examineHosts(
      hosts.filter(({ host }) => active.has(host)),
      inspection,
      { ...resolversOf(config), ...nameServers },
    )),
  ]
}

/** Keeps IP addresses: the runtime's resolver accepts nothing else. */
function resolversOf({ https }: Config): NameServers {
  const servers = https.resolvers.filter(({ host }) => ipVersion(host) !== null).map(addressText)
  return servers.length === 0 ? {} : { dnsServers: servers }
}

const readDomainStatuses = (inspection: Inspection): Promise<DomainStatus[]> =>
  fromDatabase(inspection, async ({ accounts, certificates }) => {
    const box = { ...inspection, accounts, certificates }
    return domainStatuses(await configuredDomains(box), box)
  })

const readNames = async (inspection: Inspection): Promise<NameOf> =>
  accountNames(await fromDatabase(inspection, ({ accounts }) => accounts.list())).nameOf

/** An empty list if the database cannot be read: another check reports that. */
async function fromDatabase<T>(
  { openDatabase }: Inspection,
  read: (database: DatabaseInspector) => T[] | Promise<T[]>,
): Promise<T[]> {
  try {
    const database = openDatabase()
    if (database === null) return []
    try {
      return await read(database)
    } finally {
      database.close()
    }
  } catch {
    return []
  }
}

async function publicHosts(inspection: Inspection, nameOf: NameOf): Promise<PublicHost[]> {
  const { config } = inspection
  const own = ownHosts(config).map(({ host, use }) => ({
    host,
    of: use === 'preview' ? 'the preview host' : 'the console',
    account: null,
  }))
  const named = await fromDatabase(inspection, async (database) => [
    ...database.connectedDomains().map(({ host, handle }) => ({ host, of: nameOf(handle), account: handle })),
    ...previewDomains(await database.accounts.list(), config).map(({ host, account }) => ({
      host,
      of: `the previews of ${nameOf(account ?? '')}`,
      account,
    })),
  ])
  return [...own, ...named].map(({ host, of, account }) => {
    const { protocol, port } = new URL(publicBase(config, host))
    const scheme = protocol === 'https:' ? 'https' : 'http'
    return { host, of, account, scheme, port: port === '' ? { http: 80, https: 443 }[scheme] : Number(port) }
  })
}

/** With this many checks at a time, a thousand silent hosts take a minute. */
const hostsAtOnce = 64

/** Reserved for uses outside public DNS (RFC 6761, RFC 6762, RFC 2606, ICANN's resolution on .internal). */
const privateName = /(?:^|\.)(?:localhost|test|example|invalid|internal|local)$/

async function examineHosts(
  hosts: PublicHost[],
  { config, clock }: Inspection,
  nameServers: NameServers,
): Promise<CheckResult[]> {
  const inWorld = hosts.filter(({ host }) => isInWorld(host))
  const observed = await severalAtOnce(inWorld, hostsAtOnce, (host) => observe(host, nameServers))
  const { mode, caFile } = config.https
  const circumstances: HostCircumstances = {
    now: clock.now(),
    listensHereAlone: listensHereAlone(config),
    tls: mode === 'off' ? 'proxy' : caFile === null ? 'own' : 'own authority',
  }
  const results = noneLookedUp(observed) ?? grouped(observed, circumstances)
  return [...results, ...notLookedUp(hosts.filter(({ host }) => !isInWorld(host)))]
}

/** One result for all sound names; separate results for the first few others. */
function grouped(observed: ObservedHost[], circumstances: HostCircumstances): CheckResult[] {
  const each = observed.map((seen) => ({ host: seen.host, results: domainChecks(seen, circumstances) }))
  const isWell = ({ results }: { results: CheckResult[] }) => results.every(({ status }) => status === 'ok')
  const [well, unwell] = [each.filter(isWell), each.filter((one) => !isWell(one))]
  const results = unwell.slice(0, unwellMax).flatMap(({ results }) => results)
  if (unwell.length > unwellMax)
    results.push(warning('domain', `The same applies to ${listedHosts(unwell.slice(unwellMax))}.`, moreAdvice))
  if (well.length <= wellMax) return [...results, ...well.flatMap(({ results }) => results)]
  const names = plural(well.length, 'name')
  return [...results, ok('domain', `${names} can be looked up and answer as they should: ${listedHosts(well)}.`)]
}

/** Limits the names with a line of their own. */
const wellMax = 5
const unwellMax = 10
const moreAdvice = 'Fix the names above first and run this again: many names usually have one cause.'

const isInWorld = (host: string): boolean => ipVersion(host) === null && !privateName.test(host)

/** Whether no listener can be reached from another machine. */
const listensHereAlone = ({ server, https }: Config): boolean =>
  [server.listen, ...(https.mode === 'off' ? [] : [https.listen, https.httpListen])].every(
    (address) => address === null || isLoopback(address.host),
  )

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address.startsWith('127.')

/** If no server answers for any of several names, the fault is this machine's, not theirs. */
function noneLookedUp(observed: ObservedHost[]): CheckResult[] | null {
  const [first] = observed.flatMap(({ lookup }) => ('unasked' in lookup ? [lookup.unasked] : []))
  const isNone = first !== undefined && observed.length > 1 && observed.every(({ lookup }) => 'unasked' in lookup)
  return isNone ? [noDnsCheck(observed.length, first)] : null
}

function notLookedUp(hosts: PublicHost[]): CheckResult[] {
  if (hosts.length === 0) return []
  return [ok('domain', `Not looked up, because such names are not in public DNS: ${listedHosts(hosts)}.`)]
}
