import type { MetricFamily } from '../lib/metrics/open-metrics.ts'

/** Deliveries of the box by their state. */
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
