import type { Clock } from '../lib/clock.ts'
import { Histogram, type MetricFamily } from '../lib/metrics.ts'

export const endpoints = [
  'form',
  'upload',
  'event',
  'click',
  'page',
  'image',
  'file',
  'asset',
  'script',
  'runtime_configuration',
  'bot_check',
  'preflight',
  'preview',
  'redirect',
  'other',
] as const
export type Endpoint = (typeof endpoints)[number]

/** In seconds. A page takes tenths of a millisecond, a capture one wait for the disk, and nothing more than about 5 s. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Exposed from the start, because Prometheus misses the first increase of a new series. */
const statusesOfFaults = [500, 503]
/** HTTP statuses have three digits (RFC 9110 section 15). */
const statusesMax = 1000

class EndpointFigures {
  private readonly byStatus = new Float64Array(statusesMax)
  private readonly seconds = new Histogram(secondsBounds)

  note(status: number, tookMs: number): void {
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1
    this.seconds.observe(tookMs / 1000)
  }

  counts(): { code: string; count: number }[] {
    return [...this.byStatus.entries()]
      .filter(([status, count]) => count > 0 || statusesOfFaults.includes(status))
      .map(([status, count]) => ({ code: `${status}`, count }))
  }

  durations() {
    return this.seconds.read()
  }
}

export class RequestFigures {
  inFlight = 0
  private readonly byEndpoint = new Map(endpoints.map((endpoint) => [endpoint, new EndpointFigures()]))

  /** Call once per route, at registration. */
  of(endpoint: Endpoint): EndpointFigures {
    return this.byEndpoint.get(endpoint) as EndpointFigures
  }

  families(): MetricFamily[] {
    const figures = [...this.byEndpoint]
    return [
      {
        name: 'capture_requests',
        type: 'counter',
        help: 'Requests answered, by endpoint and status.',
        samples: figures.flatMap(([endpoint, of]) =>
          of.counts().map(({ code, count }) => ({ labels: { endpoint, code }, value: count })),
        ),
      },
      {
        name: 'capture_request_seconds',
        type: 'histogram',
        unit: 'seconds',
        help: 'Time from a request to its answer, without sending the body.',
        samples: figures.map(([endpoint, of]) => ({ labels: { endpoint }, value: of.durations() })),
      },
    ]
  }
}

/** Up to when everything is at a target. */
interface BackedUp {
  url: string
  /** Epoch milliseconds; `null`: nothing is there. */
  safeAt: number | null
}

/** What the thread that backs up has said of each target last. */
export class BackupFigures {
  private readonly targets = new Map<string, BackedUp>()

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  use({ url, safeAt }: BackedUp): void {
    this.targets.set(url, { url, safeAt })
  }

  family(): MetricFamily {
    const now = this.clock.now()
    return {
      name: 'capture_backup_age_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Age of the latest moment that could be restored from a target.',
      samples: [...this.targets.values()].flatMap(({ url, safeAt }) =>
        safeAt === null ? [] : [{ labels: { target: url }, value: Math.max(0, (now - safeAt) / 1000) }],
      ),
    }
  }
}

interface DeliveryCounts {
  waiting: number
  delivered: number
  failed: number
}

/** What the delivering thread has counted last. */
export class DeliveryFigures {
  /** Nothing is kept of a box without destinations, and nothing counts it. */
  private counts: DeliveryCounts = { waiting: 0, delivered: 0, failed: 0 }

  use(counts: DeliveryCounts): void {
    this.counts = counts
  }

  family(): MetricFamily {
    return {
      name: 'capture_deliveries',
      type: 'gauge',
      help: 'Deliveries that are kept, by state.',
      samples: Object.entries(this.counts).map(([state, value]) => ({ labels: { state }, value })),
    }
  }
}

/** Limits the hosts with their own series. Beyond it, one series shows the earliest expiry of the rest. */
const hostsMax = 1000
const otherHosts = 'other'

interface Expiry {
  host: string
  expiresAt: number
}

export class CertificateFigures {
  private inUse: readonly Expiry[] = []

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  use(certificates: readonly Expiry[]): void {
    this.inUse = certificates
  }

  family(): MetricFamily {
    const now = this.clock.now()
    const soonestFirst = this.inUse.toSorted((one, other) => one.expiresAt - other.expiresAt)
    const [ofOthers] = soonestFirst.slice(hostsMax)
    const shown = soonestFirst.slice(0, hostsMax)
    if (ofOthers !== undefined) shown.push({ host: otherHosts, expiresAt: ofOthers.expiresAt })
    return {
      name: 'capture_certificate_expiry_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Time until the certificate of a host expires; negative once it has.',
      samples: shown.map(({ host, expiresAt }) => ({ labels: { host }, value: (expiresAt - now) / 1000 })),
    }
  }
}

/** What the console's thread has refused since the start of the process. */
export class ConsoleRefusals {
  private readonly counts: Map<string, number>

  /** @param kinds exposed from the start, because Prometheus misses the first increase of a new series */
  constructor(kinds: readonly string[]) {
    this.counts = new Map(kinds.map((kind) => [kind, 0]))
  }

  note(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  family(): MetricFamily {
    return {
      name: 'capture_console_refusals',
      type: 'counter',
      help: 'Sign-ins, proofs, tokens and calls that the console refused, by kind.',
      samples: [...this.counts].map(([kind, value]) => ({ labels: { kind }, value })),
    }
  }
}
