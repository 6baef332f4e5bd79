import type { MetricFamily } from '../lib/metrics.ts'

/** What a node knows of its cluster. `null`: not known. */
export interface ClusterReading {
  leads: boolean
  /** How often another node has begun to lead, since the start of the process. */
  takeovers: number
  isDatabaseUp: boolean | null
  isStoreUp: boolean | null
  /** How many nodes are in each state; empty: not known. */
  nodesByState: ReadonlyMap<string, number>
  /** Of this node: the number of the last link that it has, and how many it lacks. */
  applied: number | null
  behind: number | null
  skewSeconds: number | null
  /** What this node keeps on its own disk until the database is back. */
  spoolBytes: number | null
  /** How long the oldest captured record has waited for the leader. */
  oldestUnsharedSeconds: number | null
}

/** The metrics of a node. A single box has none of them. */
export const clusterFamilies = (seen: ClusterReading): MetricFamily[] => [
  gauge('capture_cluster_leads', 'Whether this node leads the cluster.', seen.leads),
  {
    name: 'capture_cluster_takeovers',
    type: 'counter',
    help: 'How often another node has begun to lead, as this node has seen it.',
    samples: [{ value: seen.takeovers }],
  },
  {
    name: 'capture_cluster_nodes',
    type: 'gauge',
    help: 'Nodes of the cluster, by state.',
    samples: [...seen.nodesByState].map(([state, value]) => ({ labels: { state }, value })),
  },
  {
    name: 'capture_cluster_links',
    type: 'counter',
    help: 'Links of the chain that this node has, since the cluster began.',
    samples: known(seen.applied),
  },
  gauge('capture_cluster_links_behind', 'Links of the chain that this node lacks.', seen.behind),
  {
    ...gauge(
      'capture_cluster_oldest_unshared_seconds',
      'How long the oldest captured record has waited for the leader.',
      seen.oldestUnsharedSeconds,
    ),
    unit: 'seconds',
  },
  {
    ...gauge(
      'capture_cluster_clock_skew_seconds',
      'By how much the clock of this node is ahead of the database’s.',
      seen.skewSeconds,
    ),
    unit: 'seconds',
  },
  {
    ...gauge(
      'capture_cluster_spool_bytes',
      'What this node keeps on its own disk until the database is back.',
      seen.spoolBytes,
    ),
    unit: 'bytes',
  },
  gauge('capture_cluster_database_up', 'Whether the database of the cluster answers.', seen.isDatabaseUp),
  gauge('capture_cluster_store_up', 'Whether the store of the cluster can be read.', seen.isStoreUp),
]

const gauge = (name: string, help: string, value: number | boolean | null): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples: known(value),
})

const known = (value: number | boolean | null) => (value === null ? [] : [{ value: Number(value) }])
