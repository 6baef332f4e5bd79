import type { RefusalSum } from '../capture/refusal-sums.ts'
import { type HistogramReading, type MetricFamily, type MetricsFormat, openMetrics } from '../lib/metrics.ts'

/** The current values for `/metrics` (docs/monitoring.md). */
export interface Observations {
  requests: MetricFamily[]
  certificates: MetricFamily
  deliveries: MetricFamily
  backups: MetricFamily
  /** Empty on a single box. */
  cluster: MetricFamily[]
  consoleRefusals: MetricFamily
  refusals: RefusalSum[]
  /** The handle of an account; `null`: it was removed. */
  handleOf: (accountId: string) => string | null
  commitSeconds: HistogramReading
  commitEntries: HistogramReading
  /** Records that wait for processing. `null`, here and below: currently unreadable. */
  recordsWaiting: number | null
  diskFreeBytes: number | null
  residentBytes: number
  version: string
}

/** Stands for accounts beyond the limit and removed ones. */
const otherAccounts = 'other'

export const metricsText = (seen: Observations, format: MetricsFormat = openMetrics): string =>
  format.text(families(seen))

function families(seen: Observations): MetricFamily[] {
  return [
    ...seen.requests,
    {
      name: 'capture_refusals',
      type: 'counter',
      help: 'Requests that were refused or could not be stored, by check.',
      samples: refusalSamples(seen),
    },
    seen.consoleRefusals,
    {
      name: 'capture_commit_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Duration of a transaction of captured records, including the wait for the disk.',
      samples: [{ value: seen.commitSeconds }],
    },
    {
      name: 'capture_commit_entries',
      type: 'histogram',
      help: 'Records stored by one transaction.',
      samples: [{ value: seen.commitEntries }],
    },
    {
      name: 'capture_records_waiting',
      type: 'gauge',
      help: 'Stored records that wait for processing.',
      samples: known(seen.recordsWaiting),
    },
    seen.certificates,
    seen.deliveries,
    seen.backups,
    ...seen.cluster,
    {
      name: 'capture_disk_free_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Free space on the volume of the data folder.',
      samples: known(seen.diskFreeBytes),
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Resident memory of the process.',
      samples: known(seen.residentBytes),
    },
    {
      name: 'capture_build',
      type: 'info',
      help: 'The version that runs.',
      samples: [{ labels: { version: seen.version }, value: 1 }],
    },
  ]
}

const known = (value: number | null) => (value === null ? [] : [{ value }])

/** Sums up the accounts that share the name `other`. */
function refusalSamples({ refusals, handleOf }: Observations) {
  const samples = new Map<string, { labels: { account: string; endpoint: string; check: string }; value: number }>()
  for (const { accountId, endpoint, check, count } of refusals) {
    const account = (accountId === null ? null : handleOf(accountId)) ?? otherAccounts
    const key = `${account} ${endpoint} ${check}`
    const sample = samples.get(key) ?? { labels: { account, endpoint, check }, value: 0 }
    samples.set(key, sample)
    sample.value += count
  }
  return [...samples.values()]
}
