import {
  type ClusterLog,
  ClusterLogAway,
  NoClusterYet,
  type NodeState,
  type SeenNode,
  silentMsMax,
} from '../../cluster/cluster-log.ts'
import { endedBy } from '../../cluster/lease-keeper.ts'
import { OperatorError } from '../../lib/operator-error.ts'

export interface NodeStatus {
  name: string
  address: string
  version: string
  /** Of its database: the migrations. */
  schema: number
  /** The number of the last link that it contains. */
  applied: number
  /** How many links it lacks. */
  behind: number
  /** ISO 8601, by the database's clock. */
  seenAt: string
  /** By how much its clock is ahead of the database's; negative: behind. */
  skewSeconds: number
  state: 'leads' | 'silent' | NodeState
}

export interface ClusterStatus {
  /** `null`: nobody leads at present, or that is not known. */
  leader: string | null
  nodes: NodeStatus[]
  database: 'ok' | 'away'
  /** For how long the oldest record has waited that is on no second node yet; `null`: not known. */
  oldestUnsharedSeconds: number | null
}

/** What is known while the database does not answer. */
export const awayStatus: ClusterStatus = { leader: null, nodes: [], database: 'away', oldestUnsharedSeconds: null }

/** What the cluster's database says of its nodes. Needs no node. @throws OperatorError when it refuses, or the cluster is over */
export async function clusterStatus(log: Pick<ClusterLog, 'lease' | 'overview'>): Promise<ClusterStatus> {
  try {
    const lease = await log.lease(null)
    if (lease?.hasEnded) throw new OperatorError(endedBy(lease.node))
    const leader = lease !== null && lease.leftMs > 0 ? lease.node : null
    const { nodes, end, oldestWaitsMs } = await log.overview()
    const stateOf = ({ name, silentMs, state }: SeenNode): NodeStatus['state'] => {
      if (silentMs > silentMsMax) return 'silent'
      return name === leader ? 'leads' : state
    }
    return {
      leader,
      nodes: nodes.map((node) => ({
        name: node.name,
        address: node.address,
        version: node.version,
        schema: node.schema,
        applied: node.applied,
        behind: Math.max(0, end - node.applied),
        seenAt: new Date(node.seenAt).toISOString(),
        skewSeconds: node.skewMs / 1000,
        state: stateOf(node),
      })),
      database: 'ok',
      oldestUnsharedSeconds: Math.max(0, Math.round((oldestWaitsMs ?? 0) / 1000)),
    }
  } catch (error) {
    if (error instanceof ClusterLogAway) return awayStatus
    if (error instanceof NoClusterYet) return { ...awayStatus, database: 'ok' }
    throw error
  }
}
