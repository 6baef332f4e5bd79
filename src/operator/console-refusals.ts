import type { MetricFamily } from '../lib/metrics/open-metrics.ts'

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
