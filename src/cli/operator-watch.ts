import type { RefusalTally } from '../capture/refusal-tally.ts'
import { type Config, type ListenAddress, operatorListenByDefault } from '../config/config.ts'
import type { Log } from '../lib/log.ts'
import type { SiteDirectory } from '../listener/site-directory.ts'
import type { CertificateFigures } from '../operator/certificate-figures.ts'
import { metricsText } from '../operator/metrics.ts'
import { type OperatorListener, startOperatorListener } from '../operator/operator-listener.ts'
import { Readiness } from '../operator/readiness.ts'
import type { RequestFigures } from '../operator/request-figures.ts'
import { freeBytes } from '../storage/filesystem/free-space.ts'
import { readWaiting } from '../storage/sqlite/processing/backlog.ts'
import { AddressTaken, listenFault } from './address-taken.ts'
import type { CapturingBox } from './open-capturing.ts'
import { programVersion } from './version.ts'

export interface Watched {
  config: Config
  box: CapturingBox
  directory: SiteDirectory
  requests: RequestFigures
  certificates: CertificateFigures
  refusals: RefusalTally
  log: Log
}

export interface OperatorWatch extends AsyncDisposable {
  /** `/readyz` says from now on that the service stops. */
  stopping(): void
}

/** Opens the operator's address, unless it is closed. @throws OperatorError when it cannot be had */
export function watchForOperator(watched: Watched): OperatorWatch {
  const readiness = new Readiness(() => watched.box.probeCommit())
  const listener = opened(watched, readiness)
  return {
    stopping: () => readiness.stopping(),
    [Symbol.asyncDispose]: async () => {
      readiness.stopping()
      await listener?.stop()
    },
  }
}

function opened(watched: Watched, readiness: Readiness): OperatorListener | null {
  const { config, log } = watched
  const { listen } = config.operator
  if (listen === null) return null
  try {
    const listener = startOperatorListener(listen, {
      fault: () => readiness.fault(),
      metrics: () => metricsOf(watched),
      onError: (error) =>
        log.error('A request at the operator’s address failed.', {
          error: error instanceof Error ? error.message : '',
        }),
    })
    log.info('Listening for the operator.', { host: listen.host, port: listener.port })
    return listener
  } catch (error) {
    return withoutDefault(listenFault(error, listen, '[operator] listen'), listen, log)
  }
}

/** Several boxes on one machine must not need a word of configuration for this; an address of the operator's own choice is meant. */
function withoutDefault(fault: unknown, { host, port }: ListenAddress, log: Log): null {
  const isDefault = host === operatorListenByDefault.host && port === operatorListenByDefault.port
  if (!isDefault || !(fault instanceof AddressTaken)) throw fault
  log.warn(
    `/livez, /readyz and /metrics are not served: another program listens on ${host}:${port}. Set [operator] listen in capture.toml to another address, or to "" if nobody watches this box.`,
  )
  return null
}

async function metricsOf({ box, directory, requests, certificates, refusals }: Watched): Promise<string> {
  return metricsText({
    requests: requests.families(),
    certificates: certificates.family(),
    refusals: refusals.sums.read(),
    handleOf: (accountId) => directory.handleOf(accountId),
    commitSeconds: box.commits.seconds.read(),
    commitEntries: box.commits.entries.read(),
    recordsWaiting: recordsWaiting(box),
    diskFreeBytes: await freeBytes(box.dataDir).catch(() => null),
    residentBytes: process.memoryUsage.rss(),
    version: programVersion,
  })
}

/** A damaged page, or a disk that does not read, takes one figure and leaves the others. */
function recordsWaiting({ reader }: CapturingBox): number | null {
  try {
    return readWaiting(reader).waiting
  } catch {
    return null
  }
}
