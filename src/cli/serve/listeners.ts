import type { RefusalTally } from '../../capture/refusal-tally.ts'
import { consoleListenByDefault, operatorListenByDefault } from '../../config/config.ts'
import type { MetricsFormat } from '../../lib/metrics.ts'
import { type ConsoleListener, startConsoleListener } from '../../listener/console/console-listener.ts'
import { type Listener, startListener } from '../../listener/listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'
import type { SiteDirectory } from '../../listener/site-directory.ts'
import { clusterFamilies } from '../../operator/cluster-figures.ts'
import type {
  BackupFigures,
  CertificateFigures,
  ConsoleRefusals,
  DeliveryFigures,
  RequestFigures,
} from '../../operator/figures.ts'
import { metricsText } from '../../operator/metrics.ts'
import { type OperatorListener, Readiness, startOperatorListener } from '../../operator/operator-listener.ts'
import { freeBytes } from '../../storage/filesystem/free-space.ts'
import type { CapturingBox } from '../open.ts'
import type { ClusterThread, LeadersWork } from '../threads/cluster-thread.ts'
import { programVersion } from '../version.ts'
import { bound, boundUnlessTaken, type ListenerStart, type PortsInUse } from './ports.ts'
import { startHttps } from './serve-https.ts'

export interface ServiceListeners extends Omit<Listeners, 'lead'> {
  watch: OperatorWatch
  /** Sets the source of answers. Requests wait for that, and for the queue to be released. */
  lead(parts: ListenerParts, watched: Watched, asLeader: LeadersWork): void
}

/** Binds every address, or none. @throws OperatorError when one cannot be had */
export async function openListeners(start: ListenerStart): Promise<ServiceListeners> {
  const watch = watchForOperator(start)
  let local: ReturnType<typeof openLocalConsole> = null
  try {
    local = openLocalConsole(start)
    const listeners = await startListeners(start)
    return {
      ...listeners,
      ...(local === null ? {} : together([listeners, local])),
      watch,
      ports: {
        ...listeners.ports,
        ...(watch.port === null ? {} : { operator: watch.port }),
        ...(local === null ? {} : { console: local.port }),
      },
      lead: (parts, watched, asLeader) => {
        watch.lead(watched)
        local?.lead(parts.consoleProxy)
        listeners.lead(parts, asLeader)
      },
    }
  } catch (error) {
    await Promise.all([watch.stop(), local?.stop(0)])
    throw error
  }
}

interface Listeners extends Leaving {
  ports: PortsInUse
  /** The addresses bound for `[server] listen`; empty: closed. */
  plain: { host?: string; port?: number }
  /** Sets the source of answers. Requests wait for that, and for the queue to be released. */
  lead(parts: ListenerParts, asLeader: LeadersWork): void
}

/** Binds every address, or none. */
async function startListeners(start: ListenerStart): Promise<Listeners> {
  const https = await startHttps(start)
  const { listen: address } = start.config.server
  if (address === null) return { ...together(https.listeners), ...https, plain: {} }
  try {
    const binding = { address, key: '[server] listen', shared: start.shared.plain }
    const listener = bound(binding, (at) => startListener(start.basics, at))
    return {
      ...together([listener, ...https.listeners]),
      ports: { ...https.ports, plain: listener.port },
      plain: { host: address.host, port: listener.port },
      lead: (parts, asLeader) => {
        listener.lead(parts)
        https.lead(parts, asLeader)
      },
    }
  } catch (error) {
    await Promise.all(https.listeners.map((listener) => listener.stop(0)))
    throw error
  }
}

type Leaving = Pick<Listener, 'drain' | 'leave' | 'stop'>

const together = (listeners: Leaving[]): Leaving => ({
  drain: () => {
    for (const listener of listeners) listener.drain()
  },
  leave: () => {
    for (const listener of listeners) listener.leave()
  },
  stop: async (graceMs) => {
    await Promise.all(listeners.map((listener) => listener.stop(graceMs)))
  },
})

/** Opens `[console] listen`, unless it is closed. @throws OperatorError when it cannot be had */
function openLocalConsole({ basics, config, shared }: ListenerStart): ConsoleListener | null {
  const { queue, log } = basics
  const { listen } = config.console
  if (listen === null) return null
  const { console: port } = shared
  const binding = { address: listen, key: '[console] listen', shared: port, byDefault: consoleListenByDefault }
  const listener = boundUnlessTaken(binding, (address) => startConsoleListener(queue, address))
  if (listener !== null) log.info('Listening for the console.', { host: listen.host, port: listener.port })
  else
    log.info(
      `The console is not served on this machine's own address: another program listens on ${listen.host}:${listen.port}. Set [console] listen in capture.toml to another one to open it there.`,
    )
  return listener
}

interface Watched {
  box: CapturingBox
  directory: SiteDirectory
  requests: RequestFigures
  certificates: CertificateFigures
  deliveries: DeliveryFigures
  backups: BackupFigures
  consoleRefusals: ConsoleRefusals
  refusals: RefusalTally
  /** `null`: a single box. */
  cluster: Pick<ClusterThread, 'leads' | 'sight' | 'fault'> | null
}

interface OperatorWatch {
  /** The bound port; absent: closed. */
  port: number | null
  lead(watched: Watched): void
  /** Makes `/readyz` report that the service is stopping. */
  stopping(): void
  stop(): Promise<void>
}

/** Opens the operator's address, unless it is closed. @throws OperatorError when it cannot be bound */
function watchForOperator(start: ListenerStart): OperatorWatch {
  const listener = opened(start)
  let readiness: Readiness | null = null
  return {
    port: listener?.port ?? null,
    lead: (watched) => {
      const asked = new Readiness(() => watched.box.probeCommit())
      readiness = asked
      const { cluster } = watched
      listener?.lead({
        fault: async () => cluster?.fault ?? asked.fault(),
        metrics: (format) => metricsOf(watched, format),
      })
    },
    stopping: () => readiness?.stopping(),
    stop: async () => {
      readiness?.stopping()
      await listener?.stop()
    },
  }
}

function opened({ basics, config, shared }: ListenerStart): OperatorListener | null {
  const { queue, log } = basics
  const { listen } = config.operator
  if (listen === null) return null
  const onError = (error: unknown) =>
    log.error('A request at the operator’s address failed.', { error: error instanceof Error ? error.message : '' })
  const { operator: port } = shared
  const binding = { address: listen, key: '[operator] listen', shared: port, byDefault: operatorListenByDefault }
  const listener = boundUnlessTaken(binding, (address) => startOperatorListener(address, { queue, onError }))
  if (listener !== null) log.info('Listening for the operator.', { host: listen.host, port: listener.port })
  else
    log.warn(
      `/livez, /readyz and /metrics are not served: another program listens on ${listen.host}:${listen.port}. Set [operator] listen in capture.toml to another address, or to "" if nobody watches this box.`,
    )
  return listener
}

async function metricsOf(
  { box, directory, requests, certificates, deliveries, backups, consoleRefusals, refusals, cluster }: Watched,
  format: MetricsFormat,
): Promise<string> {
  return metricsText(
    {
      requests: requests.families(),
      certificates: certificates.family(),
      deliveries: deliveries.family(),
      backups: backups.family(),
      cluster: cluster === null ? [] : clusterFamilies(cluster.sight.reading(cluster.leads)),
      consoleRefusals: consoleRefusals.family(),
      refusals: refusals.sums.read(),
      handleOf: (accountId) => directory.handleOf(accountId),
      commitSeconds: box.commits.seconds.read(),
      commitEntries: box.commits.entries.read(),
      recordsWaiting: recordsWaiting(box),
      diskFreeBytes: await freeBytes(box.dataDir).catch(() => null),
      residentBytes: process.memoryUsage.rss(),
      version: programVersion,
    },
    format,
  )
}

/** A damaged page or an unreadable disk affects only one figure. */
function recordsWaiting(box: CapturingBox): number | null {
  try {
    return box.recordsWaiting()
  } catch {
    return null
  }
}
