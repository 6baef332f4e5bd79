import type { Config } from '../../config/config.ts'
import { ownHosts, previewsBelow } from '../../config/own-hosts.ts'
import type { Certificates } from '../../https/certificates.ts'
import type { KeeperSettings } from '../../https/keeper/keeper-settings.ts'
import { directoriesOf } from '../../https/keeper/targets.ts'
import { everyInterval } from '../../lib/interval.ts'
import type { HttpsListener } from '../../listener/https-listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { KeeperThread } from '../threads/keeper-thread.ts'
import { workerFile } from '../threads/worker-file.ts'
import { programVersion } from '../version.ts'

/** Keeps the certificates in use current while the service runs. */
export interface CertificateWatch {
  /** Another process has taken over. */
  drain(): void
  stop(): Promise<void>
}

export interface WatchParts {
  secure: HttpsListener
  certificates: Certificates
  parts: ListenerParts
  config: Config
  /** Those that were looked at. */
  hosts: readonly string[]
  stalled: Set<string>
}

/** How often the folder is read (docs/https.md). */
const lookMs = 60_000
/** How often to check whether there is something new, such as a domain. */
const tickMs = 1000

/** Mode `files`: applies changes in the folder. */
export function watchFolder({ secure, certificates, parts, config, hosts: first }: WatchParts): CertificateWatch {
  const { directory, clock, log } = parts
  const own = ownHosts(config).map(({ host }) => host)
  let hosts = first
  let lookedAtMs = clock.monotonicMs()
  const looking = everyInterval(
    tickMs,
    async () => {
      if (directory.hosts === hosts && clock.monotonicMs() - lookedAtMs < lookMs) return
      hosts = directory.hosts
      lookedAtMs = clock.monotonicMs()
      if (await certificates.look([...hosts, ...own])) secure.use(certificates.pairs)
    },
    log,
  )
  return { drain: () => {}, stop: () => looking.stop() }
}

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
    workerFile: workerFile('keeper'),
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
