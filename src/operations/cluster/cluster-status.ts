import { type ClusterLog, ClusterLogAway, type SeenNode, silentMsMax } from '../../cluster/cluster-log.ts'

export interface NodeStatus {
  name: string
  address: string
  version: string
  /** The number of the last link that it contains. */
  applied: number
  /** How many links it lacks. */
  behind: number
  /** ISO 8601, by the database's clock. */
  seenAt: string
  state: 'leads' | 'follows' | 'silent'
}

export interface ClusterStatus {
  /** `null`: nobody leads at present, or that is not known. */
  leader: string | null
  nodes: NodeStatus[]
  database: 'ok' | 'away'
  /** For how long the oldest record has waited that is on no second node yet; `null`: not known. */
  oldestUnsharedSeconds: number | null
}

/** What the cluster's database says of its nodes. Needs no node. */
export async function clusterStatus(log: Pick<ClusterLog, 'lease' | 'overview'>): Promise<ClusterStatus> {
  try {
    const lease = await log.lease(null)
    const leader = lease !== null && lease.leftMs > 0 ? lease.node : null
    const { nodes, end, oldestWaitsMs } = await log.overview()
    const stateOf = ({ name, silentMs }: SeenNode): NodeStatus['state'] => {
      if (silentMs > silentMsMax) return 'silent'
      return name === leader ? 'leads' : 'follows'
    }
    return {
      leader,
      nodes: nodes.map((node) => ({
        name: node.name,
        address: node.address,
        version: node.version,
        applied: node.applied,
        behind: Math.max(0, end - node.applied),
        seenAt: new Date(node.seenAt).toISOString(),
        state: stateOf(node),
      })),
      database: 'ok',
      oldestUnsharedSeconds: Math.max(0, Math.round((oldestWaitsMs ?? 0) / 1000)),
    }
  } catch (error) {
    if (!(error instanceof ClusterLogAway)) throw error
    return { leader: null, nodes: [], database: 'away', oldestUnsharedSeconds: null }
  }
}
