import type { Config } from '../../config/config.ts'
import { ownHosts, previewsBelow } from '../../config/own-hosts.ts'
import type { KeeperSettings } from '../../https/keeper/keeper-settings.ts'
import { directoriesOf } from '../../https/keeper/targets.ts'
import { everyInterval } from '../../lib/interval.ts'
import { workerFile } from '../../lib/thread/worker-file.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { programVersion } from '../version.ts'
import type { CertificateWatch, WatchParts } from './certificate-watch.ts'
import { KeeperThread } from './keeper-thread.ts'

/** How often to check for new certificates. */
const tickMs = 1000
/**
 * How long changes are collected: a new name's visitors wait for it, a renewal has time. With the drain of the change
 * before and its own, 5 s each, both are in use for every handshake within 30 s (docs/https.md).
 */
const collectFirstMs = 3000
const collectRenewalMs = 12_000

/** Mode `auto`: runs the certificate thread, and uses newly issued certificates. */
export function watchKeeper({ secure, certificates, parts, config, stalled }: WatchParts): CertificateWatch {
  const { directory, clock, log } = parts
  const own = ownHosts(config).map(({ host }) => host)
  let hosts: readonly string[] = []
  // Unknown, because the previous process may have received certificates since this one read them.
  let changed: Set<string> | undefined
  let lookAtMs = Number.POSITIVE_INFINITY
  const thread = new KeeperThread({
    workerFile: workerFile('storage/sqlite/https/keeper-worker.ts'),
    settings: keeperSettings(config, own),
    answers: parts.challenges,
    onIssued: ({ host, isRenewal }) => {
      changed?.add(host)
      lookAtMs = Math.min(lookAtMs, clock.monotonicMs() + (isRenewal ? collectRenewalMs : collectFirstMs))
    },
    clock,
    log,
    stalled,
  })
  const looking = everyInterval(
    tickMs,
    async () => {
      const isDue = clock.monotonicMs() >= lookAtMs
      if (directory.hosts === hosts && !isDue) return
      hosts = directory.hosts
      const taken = changed
      changed = new Set()
      lookAtMs = Number.POSITIVE_INFINITY
      if (await certificates.look([...hosts, ...own], taken)) secure.use(certificates.pairs)
    },
    log,
  )
  return {
    drain: () => void thread.stop(),
    stop: async () => {
      await Promise.all([looking.stop(), thread.stop()])
    },
  }
}

function keeperSettings(config: Config, ownHosts: string[]): KeeperSettings {
  const { dataDir, https } = config
  const { eabKid, eabHmac } = https
  return {
    databaseFile: databaseFile(dataDir),
    ownHosts,
    previewsBelow: previewsBelow(config),
    directories: directoriesOf(https.directory, https.stagingDirectory, https.fallbackDirectory),
    caFile: https.caFile,
    contact: https.email,
    externalBinding: eabKid !== null && eabHmac !== null ? { kid: eabKid, hmac: eabHmac } : null,
    profile: https.profile,
    addresses: https.addresses,
    resolvers: https.resolvers,
    userAgent: `capture/${programVersion}`,
  }
}
