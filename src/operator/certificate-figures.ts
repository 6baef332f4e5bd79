import type { Clock } from '../lib/clock.ts'
import type { MetricFamily } from '../lib/metrics/open-metrics.ts'

/** Hosts with a series of their own; of those beyond, the one that expires first stands for all. */
const hostsMax = 1000
const otherHosts = 'other'

interface Expiry {
  host: string
  /** Epoch milliseconds. */
  expiresAt: number
}

/** The certificates that handshakes are shown, and how long they are good for. */
export class CertificateFigures {
  private inUse: readonly Expiry[] = []

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** From now on these, and no others. */
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
      help: 'Time until the certificate that a host shows expires; below 0 once it has.',
      samples: shown.map(({ host, expiresAt }) => ({ labels: { host }, value: (expiresAt - now) / 1000 })),
    }
  }
}
