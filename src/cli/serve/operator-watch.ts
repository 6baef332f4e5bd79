import type { RefusalTally } from '../../capture/refusal-tally.ts'
import { operatorListenByDefault } from '../../config/config.ts'
import type { MetricsFormat } from '../../lib/metrics/open-metrics.ts'
import type { SiteDirectory } from '../../listener/site-directory.ts'
import type { BackupFigures } from '../../operator/backup-figures.ts'
import type { CertificateFigures } from '../../operator/certificate-figures.ts'
import type { ConsoleRefusals } from '../../operator/console-refusals.ts'
import type { DeliveryFigures } from '../../operator/delivery-figures.ts'
import { metricsText } from '../../operator/metrics.ts'
import { type OperatorListener, startOperatorListener } from '../../operator/operator-listener.ts'
import { Readiness } from '../../operator/readiness.ts'
import type { RequestFigures } from '../../operator/request-figures.ts'
import { freeBytes } from '../../storage/filesystem/free-space.ts'
import type { CapturingBox } from '../open.ts'
import { programVersion } from '../version.ts'
import { boundUnlessTaken } from './bound.ts'
import type { ListenerStart } from './listener-start.ts'

export interface Watched {
  box: CapturingBox
  directory: SiteDirectory
  requests: RequestFigures
  certificates: CertificateFigures
  deliveries: DeliveryFigures
  backups: BackupFigures
  consoleRefusals: ConsoleRefusals
  refusals: RefusalTally
}

export interface OperatorWatch {
  /** The bound port; absent: closed. */
  port: number | null
  /** Sets the sources of answers. Requests wait until then. */
  lead(watched: Watched): void
  /** Makes `/readyz` report that the service is stopping. */
  stopping(): void
  stop(): Promise<void>
}

/** Opens the operator's address, unless it is closed. @throws OperatorError when it cannot be bound */
export function watchForOperator({ basics, config, shared }: Omit<ListenerStart, 'hosts' | 'stalled'>): OperatorWatch {
  const listener = opened({ basics, config, shared })
  let readiness: Readiness | null = null
  return {
    port: listener?.port ?? null,
    lead: (watched) => {
      const asked = new Readiness(() => watched.box.probeCommit())
      readiness = asked
      listener?.lead({ fault: () => asked.fault(), metrics: (format) => metricsOf(watched, format) })
    },
    stopping: () => readiness?.stopping(),
    stop: async () => {
      readiness?.stopping()
      await listener?.stop()
    },
  }
}

function opened({ basics, config, shared }: Omit<ListenerStart, 'hosts' | 'stalled'>): OperatorListener | null {
  const { gate, log } = basics
  const { listen } = config.operator
  if (listen === null) return null
  const onError = (error: unknown) =>
    log.error('A request at the operator’s address failed.', { error: error instanceof Error ? error.message : '' })
  const { operator: port } = shared
  const binding = { address: listen, key: '[operator] listen', shared: port, byDefault: operatorListenByDefault }
  const listener = boundUnlessTaken(binding, (address) => startOperatorListener(address, { gate, onError }))
  if (listener !== null) log.info('Listening for the operator.', { host: listen.host, port: listener.port })
  else
    log.warn(
      `/livez, /readyz and /metrics are not served: another program listens on ${listen.host}:${listen.port}. Set [operator] listen in capture.toml to another address, or to "" if nobody watches this box.`,
    )
  return listener
}

async function metricsOf(
  { box, directory, requests, certificates, deliveries, backups, consoleRefusals, refusals }: Watched,
  format: MetricsFormat,
): Promise<string> {
  return metricsText(
    {
      requests: requests.families(),
      certificates: certificates.family(),
      deliveries: deliveries.family(),
      backups: backups.family(),
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
