import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addressText } from '../../config/address-text.ts'
import type { Config } from '../../config/config.ts'
import { publicBase } from '../../config/public-url.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import type { Clock } from '../../lib/clock.ts'
import { ipVersion } from '../../lib/ip.ts'
import { configuredDomains } from '../../operations/domains/configured-domains.ts'
import { domainStatuses } from '../../operations/domains/domain-statuses.ts'
import { CertificateFolder } from '../../storage/filesystem/certificate-folder.ts'
import { seemsHeld } from '../../storage/lock/folder-lock.ts'
import { SqliteAccountStore } from '../../storage/sqlite/account-store.ts'
import { connectedDomains } from '../../storage/sqlite/connected-domains.ts'
import { type Connection, openReader } from '../../storage/sqlite/connection.ts'
import { SqliteCertificateStore } from '../../storage/sqlite/https/certificate-store.ts'
import { certificateFindings } from './certificate-findings.ts'
import type { Finding } from './finding.ts'
import { examineHosts } from './hosts.ts'
import type { PublicHost, World } from './observed-host.ts'

/**
 * DNS, port and certificate of every connected domain and the preview host (contract section 1, `doctor`). Where the box has
 * the certificates itself, `domain list` says what a name without one lacks, and the others are looked at.
 */
export async function examineDomains(config: Config, clock: Clock, world: World): Promise<Finding[]> {
  const { mode, folder } = config.https
  if (mode === 'off') return examineHosts(await publicHosts(config), { config, clock, world })
  const statuses = await readDomainStatuses(config, clock)
  const active = new Set(statuses.filter(({ state }) => state === 'active').map(({ host }) => host))
  const circumstances = { mode, folder, isRunning: isServed(config), now: clock.now() }
  return [
    ...certificateFindings(statuses, circumstances),
    ...(await examineHosts(
      (await publicHosts(config)).filter(({ host }) => active.has(host)),
      { config, clock, world: { ...resolversOf(config), ...world } },
    )),
  ]
}

/** Those that are addresses: the runtime's resolver takes no others. */
function resolversOf({ https }: Config): World {
  const servers = https.resolvers.filter(({ host }) => ipVersion(host) !== null).map(addressText)
  return servers.length === 0 ? {} : { dnsServers: servers }
}

const isServed = ({ dataDir }: Config): boolean => seemsHeld(dataDir, 'serve')

/** What `domain list` would say. */
const readDomainStatuses = (config: Config, clock: Clock): Promise<DomainStatus[]> =>
  fromDatabase(config, async (reader) => {
    const box = {
      config,
      clock,
      accounts: new SqliteAccountStore(reader, clock),
      certificates: new SqliteCertificateStore(reader),
      certificateFiles: new CertificateFolder(config.https.folder),
      isServed: () => isServed(config),
    }
    return domainStatuses(await configuredDomains(box), box)
  })

/** None where the database cannot be read: what is wrong with it is said elsewhere. */
async function fromDatabase<T>({ dataDir }: Config, read: (reader: Connection) => T[] | Promise<T[]>): Promise<T[]> {
  const file = join(dataDir, 'capture.db')
  if (!existsSync(file)) return []
  try {
    const reader = openReader(file)
    try {
      return await read(reader)
    } finally {
      reader.raw.close()
    }
  } catch {
    return []
  }
}

async function publicHosts(config: Config): Promise<PublicHost[]> {
  const preview = { host: config.server.previewHost, handle: 'the preview host' }
  const connected = await fromDatabase(config, connectedDomains)
  return [preview, ...connected].map(({ host, handle }) => {
    const { protocol, port } = new URL(publicBase(config, host))
    const scheme = protocol === 'https:' ? 'https' : 'http'
    return { host, of: handle, scheme, port: port === '' ? { http: 80, https: 443 }[scheme] : Number(port) }
  })
}
