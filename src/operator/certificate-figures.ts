import type { Clock } from '../lib/clock.ts'
import type { MetricFamily } from '../lib/metrics/open-metrics.ts'

/** Limits the hosts with their own series. Beyond it, one series shows the earliest expiry of the rest. */
const hostsMax = 1000
const otherHosts = 'other'

interface Expiry {
  host: string
  /** Epoch milliseconds. */
  expiresAt: number
}

/** The certificates in use and their expiry. */
export class CertificateFigures {
  private inUse: readonly Expiry[] = []

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Replaces the certificates in use. */
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
