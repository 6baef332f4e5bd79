import type { Clock } from '../../lib/clock.ts'
import { skewSecondsUnready, skewText, stateProblems } from '../../operations/cluster/cluster-findings.ts'
import type { ClusterStatus, NodeStatus } from '../../operations/cluster/cluster-status.ts'
import type { ClusterReading } from '../../operator/cluster-figures.ts'

/** What the thread of the cluster says of what it sees. */
export type SightNotice = { status: ClusterStatus; spoolBytes: number } | { isStoreUp: boolean }

/** Once a change is in the cluster, nobody waits longer for the other nodes to have it. */
const spreadMsMax = 5000
const lookMs = 100

/** What a node sees of its cluster, kept for whoever asks: a look at the database may take seconds. */
export class ClusterSight {
  /** As seen last; `null`: nothing yet. */
  status: ClusterStatus | null = null
  /** How many nodes capture, with this one: as far as is known, while the database is away. */
  capturing = 1
  /** As the database last said them. */
  private nodes: readonly NodeStatus[] = []
  private spoolBytes: number | null = null
  private isStoreUp: boolean | null = null
  private leader: string | null = null
  private takeovers = 0

  constructor(
    private readonly node: string,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  learn(notice: SightNotice): void {
    if ('isStoreUp' in notice) {
      this.isStoreUp = notice.isStoreUp
      return
    }
    this.status = notice.status
    this.spoolBytes = notice.spoolBytes
    if (notice.status.database !== 'ok') return
    this.nodes = notice.status.nodes
    this.capturing = Math.max(1, this.nodes.filter(({ state }) => state !== 'silent').length)
  }

  noteLeader(leader: string | null): void {
    if (leader === null) return
    if (this.leader !== null && this.leader !== leader) this.takeovers++
    this.leader = leader
  }

  /** Nobody looks any more: what was seen grows old. */
  forget(): void {
    this.status = null
    this.spoolBytes = null
    this.isStoreUp = null
  }

  reading(leads: boolean): ClusterReading {
    const { status, nodes, takeovers, isStoreUp, spoolBytes } = this
    const isDatabaseUp = status === null ? null : status.database === 'ok'
    const states = isDatabaseUp ? Object.keys(stateProblems) : []
    const { applied = null, behind = null, skewSeconds = null } = isDatabaseUp ? (this.own ?? {}) : {}
    return {
      ...{ leads, takeovers, isDatabaseUp, isStoreUp, spoolBytes, applied, behind, skewSeconds },
      nodesByState: new Map(states.map((name) => [name, nodes.filter(({ state }) => state === name).length])),
      oldestUnsharedSeconds: status?.oldestUnsharedSeconds ?? null,
    }
  }

  /** Why this node's clock keeps it from taking part, in one sentence; `null`: it does not. */
  get clockFault(): string | null {
    const skewSeconds = this.own?.skewSeconds ?? 0
    if (Math.abs(skewSeconds) < skewSecondsUnready) return null
    return `The clock of this machine is ${skewText(skewSeconds)} that of the cluster’s database.`
  }

  /**
   * Names of the other nodes that lack a link, at the latest after 5 s; `null`: that is not known.
   *
   * @param link `null`: no node has it yet
   */
  async lacking(link: number | null): Promise<string[] | null> {
    const { monotonicMs } = this.clock
    if (this.status === null) return null
    const untilMs = monotonicMs() + (link === null ? 0 : spreadMsMax)
    for (;;) {
      const lacking = this.nodes.filter(({ name, applied }) => name !== this.node && (link === null || applied < link))
      // A silent one may need days.
      if (monotonicMs() >= untilMs || lacking.every(({ state }) => state === 'silent'))
        return lacking.map(({ name }) => name)
      await Bun.sleep(lookMs)
    }
  }

  private get own(): NodeStatus | undefined {
    return this.nodes.find(({ name }) => name === this.node)
  }
}
