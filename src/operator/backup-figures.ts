import type { Clock } from '../lib/clock.ts'
import type { MetricFamily } from '../lib/metrics/open-metrics.ts'

/** Up to when everything is at a target. */
export interface BackedUp {
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
