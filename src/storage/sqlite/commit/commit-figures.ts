import { Histogram, histogramBytes } from '../../../lib/metrics.ts'

/** From an idle NVMe disk to one so slow that captures are refused. */
const secondsBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const entriesBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

/**
 * How long transactions took and how many entries they stored. The writing thread counts and the serving thread reads
 * the same memory: no messages, and a replacement thread continues the count.
 */
export class CommitFigures {
  readonly seconds: Histogram
  readonly entries: Histogram

  /** @param memory that of another instance, if there is one */
  constructor(readonly memory = new SharedArrayBuffer(histogramBytes(secondsBounds) + histogramBytes(entriesBounds))) {
    this.seconds = new Histogram(secondsBounds, memory)
    this.entries = new Histogram(entriesBounds, memory, histogramBytes(secondsBounds))
  }

  note({ tookMs, entries }: { tookMs: number; entries: number }): void {
    this.seconds.observe(tookMs / 1000)
    this.entries.observe(entries)
  }
}
