import { addressText } from '../../config/address-text.ts'
import type { Config } from '../../config/config.ts'
import { ownHosts } from '../../config/own-hosts.ts'
import { publicBase } from '../../config/public-url.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import { ipVersion } from '../../lib/ip.ts'
import { configuredDomains, previewDomains } from '../domain/configured-domains.ts'
import { domainStatuses } from '../domain/domain-statuses.ts'
import { certificateChecks } from './certificate-checks.ts'
import type { CheckResult } from './check-result.ts'
import { examineHosts } from './hosts.ts'
import type { DatabaseInspector, Inspection } from './inspection.ts'
import type { NameServers, PublicHost } from './observed-host.ts'

/**
 * Checks DNS, port and certificate of every connected domain and the preview host (docs/running.md). If the box
 * has its own certificates, names without one are reported as in `domain list`, and only the others are checked.
 */
export async function examineDomains(inspection: Inspection, nameServers: NameServers): Promise<CheckResult[]> {
  const { config, clock } = inspection
  const { mode, folder } = config.https
  const hosts = await publicHosts(inspection)
  if (mode === 'off') return examineHosts(hosts, { config, clock, nameServers })
  const statuses = await readDomainStatuses(inspection)
  const active = new Set(statuses.filter(({ state }) => state === 'active').map(({ host }) => host))
  const circumstances = { mode, folder, isRunning: inspection.isServed(), now: clock.now() }
  return [
    ...certificateChecks(statuses, circumstances),
    ...(await examineHosts(
      hosts.filter(({ host }) => active.has(host)),
      { config, clock, nameServers: { ...resolversOf(config), ...nameServers } },
    )),
  ]
}

/** Keeps IP addresses: the runtime's resolver accepts nothing else. */
function resolversOf({ https }: Config): NameServers {
  const servers = https.resolvers.filter(({ host }) => ipVersion(host) !== null).map(addressText)
  return servers.length === 0 ? {} : { dnsServers: servers }
}

/** The states as in `domain list`. */
const readDomainStatuses = (inspection: Inspection): Promise<DomainStatus[]> =>
  fromDatabase(inspection, async ({ accounts, certificates }) => {
    const box = { ...inspection, accounts, certificates }
    return domainStatuses(await configuredDomains(box), box)
  })

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

async function publicHosts(inspection: Inspection): Promise<PublicHost[]> {
  const { config } = inspection
  const own = ownHosts(config).map(({ host, use }) => ({
    host,
    handle: use === 'preview' ? 'the preview host' : 'the console',
  }))
  const named = await fromDatabase(inspection, async (database) => [
    ...database.connectedDomains(),
    ...previewDomains(await database.accounts.list(), config).map(({ host, account }) => ({
      host,
      handle: `the previews of ${account}`,
    })),
  ])
  return [...own, ...named].map(({ host, handle }) => {
    const { protocol, port } = new URL(publicBase(config, host))
    const scheme = protocol === 'https:' ? 'https' : 'http'
    return { host, of: handle, scheme, port: port === '' ? { http: 80, https: 443 }[scheme] : Number(port) }
  })
}
