import type { Config } from '../../config/config.ts'
import { ownHosts, previewsBelow } from '../../config/own-hosts.ts'
import type { Http01Answers } from '../../https/acme/authority.ts'
import { type CertificateSource, Certificates } from '../../https/certificates.ts'
import { makeDefaultCertificate } from '../../https/default-certificate.ts'
import {
  type ChallengeShown,
  directoriesOf,
  type KeeperNotice,
  type KeeperSettings,
} from '../../https/keeper/targets.ts'
import { everyInterval } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { type Listener, type Redirection, startRedirectingListener } from '../../listener/listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'
import { HttpsListener } from '../../listener/tls/https-listener.ts'
import { CertificateFolder } from '../../storage/filesystem/certificate-folder.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { openStoredPairs } from '../open.ts'
import type { LeadersWork } from '../threads/cluster-thread.ts'
import { ServiceThread, type ThreadSurroundings } from '../threads/service-thread.ts'
import { workerFile } from '../threads/worker-file.ts'
import { programVersion } from '../version.ts'
import { bound, type ListenerStart, type PortsInUse } from './ports.ts'

const namesShown = 5

interface HttpsListeners {
  listeners: Pick<Listener, 'drain' | 'leave' | 'stop'>[]
  ports: PortsInUse
  /** Sets the source of answers, and starts watching the certificates. */
  lead(parts: ListenerParts, asLeader: LeadersWork): void
}

/** The listeners of `[https]` with their certificates; none if the mode is off. */
export async function startHttps({ basics, config, hosts, shared, stalled }: ListenerStart): Promise<HttpsListeners> {
  const { https } = config
  if (https.mode === 'off') return { listeners: [], ports: {}, lead: () => {} }
  const { clock, log } = basics
  const names = [...hosts, ...ownHosts(config).map(({ host }) => host)]
  const { source, areOwn, watchOver, close } = certificateOrigin(config)
  const certificates = new Certificates({ source, areOwn, clock, log })
  await certificates.look(names)
  if (https.mode === 'files') noticeNames(names, certificates, log)

  const options = { http2: https.http2, hstsSeconds: https.hsts, defaultPair: makeDefaultCertificate() }
  const secure = bound({ address: https.listen, key: '[https] listen', shared: shared.https }, (address) =>
    HttpsListener.start(basics, { ...options, address }, certificates.pairs),
  )
  log.info('Listening for https.', { host: https.listen.host, port: secure.port, names: certificates.pairs.length })
  const plain = await plainBeside(secure, { basics, config, shared })
  const listeners = plain === null ? [secure] : [secure, plain]
  let watch: CertificateWatch | null = null
  const watching = {
    drain: () => watch?.drain(),
    leave: () => {},
    stop: async () => {
      await watch?.stop()
      close()
    },
  }
  return {
    listeners: [watching, ...listeners],
    ports: { https: secure.port, ...(plain === null ? {} : { http: plain.port }) },
    lead: (parts, asLeader) => {
      for (const listener of listeners) listener.lead(parts)
      watch = watchOver({ secure, certificates, parts, config, hosts, stalled, asLeader })
    },
  }
}

interface CertificateOrigin {
  source: CertificateSource
  areOwn: boolean
  watchOver: (watched: WatchParts) => CertificateWatch
  close: () => void
}

function certificateOrigin(config: Config): CertificateOrigin {
  const { https } = config
  if (https.mode === 'files') {
    const source = new CertificateFolder(https.folder)
    return { source, areOwn: false, watchOver: watchFolder, close: () => {} }
  }
  const source = openStoredPairs(config)
  const watchOver = (watched: WatchParts) => watchKeeper(watched, source)
  return { source, areOwn: true, watchOver, close: () => source.close() }
}

/** `null`: `http_listen` is closed. */
async function plainBeside(
  secure: HttpsListener,
  { basics, config, shared }: Pick<ListenerStart, 'basics' | 'config' | 'shared'>,
): Promise<Listener | null> {
  const { https, server } = config
  const { httpListen } = https
  if (httpListen === null) return null
  const redirection: Redirection = {
    hasCertificate: (host) => secure.hasCertificate(host),
    httpsPort: redirectPort(server.publicUrl, secure.port),
  }
  try {
    const plain = bound({ address: httpListen, key: '[https] http_listen', shared: shared.http }, (address) =>
      startRedirectingListener(basics, address, https.redirect ? redirection : null),
    )
    basics.log.info('Listening for http beside it.', { host: httpListen.host, port: plain.port })
    return plain
  } catch (error) {
    await secure.stop(0)
    throw error
  }
}

/** Visitors use the address of `public_url`, whose port a router may map to this one. */
const redirectPort = (publicUrl: Config['server']['publicUrl'], bound: number): number | null => {
  const port = publicUrl !== 'auto' && publicUrl.scheme === 'https' ? publicUrl.port : bound
  return port === 443 ? null : port
}

function noticeNames(hosts: string[], certificates: Certificates, log: Log): void {
  const covered = new Set(certificates.pairs.map(({ host }) => host))
  const without = hosts.filter((host) => !covered.has(host))
  if (without.length === 0) return
  const names = without.slice(0, namesShown).join(', ') + (without.length > namesShown ? ', …' : '')
  log.warn(
    `No certificate for ${without.length} of ${hosts.length} names: ${names}. Put NAME.crt and NAME.key into the folder of [https]; until then their sites answer on plain http.`,
    { without: without.length },
  )
}

/** Keeps the certificates in use current while the service runs. */
interface CertificateWatch {
  /** Another process has taken over. */
  drain(): void
  stop(): Promise<void>
}

interface WatchParts {
  secure: HttpsListener
  certificates: Certificates
  parts: ListenerParts
  config: Config
  /** Those that were looked at. */
  hosts: readonly string[]
  stalled: Set<string>
  asLeader: LeadersWork
}

/** How often the folder is read (docs/https.md). */
const lookMs = 60_000
/** How often to check whether there is something new, such as a domain. */
const tickMs = 1000

/** Mode `files`: applies changes in the folder. */
function watchFolder({ secure, certificates, parts, config, hosts: first }: WatchParts): CertificateWatch {
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
function watchKeeper(
  { secure, certificates, parts, config, stalled, asLeader }: WatchParts,
  stored: Pick<ReturnType<typeof openStoredPairs>, 'news'>,
): CertificateWatch {
  const { directory, clock, log } = parts
  const own = ownHosts(config).map(({ host }) => host)
  let hosts: readonly string[] = []
  // Unknown, because the previous process may have received certificates since this one read them.
  let changed: Set<string> | undefined
  let lookAtMs = Number.POSITIVE_INFINITY
  const onIssued = ({ host, isRenewal }: { host: string; isRenewal: boolean }): void => {
    changed?.add(host)
    lookAtMs = Math.min(lookAtMs, clock.monotonicMs() + (isRenewal ? collectRenewalMs : collectFirstMs))
  }
  const settings = keeperSettings(config, own)
  const keeper = { workerFile: workerFile('keeper'), settings, answers: parts.challenges, onIssued }
  const thread = asLeader(() => new KeeperThread({ ...keeper, clock, log, stalled }))
  const looking = everyInterval(
    tickMs,
    async () => {
      // The leader of a cluster may have got others.
      if (config.cluster !== null) for (const issued of stored.news()) onIssued(issued)
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

interface KeeperThreadParts extends ThreadSurroundings {
  workerFile: string | URL
  settings: KeeperSettings
  answers: Http01Answers
  onIssued: (issued: { host: string; isRenewal: boolean }) => void
}

/**
 * The certificate thread, as seen from the serving thread. Answers must never wait for X.509, DNS or the database's write lock.
 */
export class KeeperThread {
  private readonly thread: ServiceThread<KeeperSettings, KeeperNotice, ChallengeShown>

  constructor(private readonly parts: KeeperThreadParts) {
    const { answers, settings, ...surroundings } = parts
    this.thread = new ServiceThread<KeeperSettings, KeeperNotice, ChallengeShown>({
      ...surroundings,
      purpose: 'keeps certificates',
      settings: () => settings,
      onMessage: (message) => this.receive(message),
      onDeath: () => answers.clear(),
    })
  }

  /** Starts no further orders and aborts those in progress. */
  stop(): Promise<void> {
    return this.thread.stop()
  }

  private receive(message: KeeperNotice): void {
    const { answers, onIssued } = this.parts
    if ('show' in message) {
      answers.show(message.show.token, message.show.keyAuthorization)
      this.thread.send({ shown: message.show.id })
    } else if ('hide' in message) answers.hide(message.hide)
    else onIssued(message.issued)
  }
}
