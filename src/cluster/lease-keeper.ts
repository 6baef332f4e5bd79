import type { Clock } from '../lib/clock.ts'
import type { ClusterLog, Lease, LeaseCandidate } from './cluster-log.ts'

const renewalMs = 2000
/** How often a node that follows looks: whoever leads may give the lease back. */
const lookMs = 500
/** While nobody has the lease, or its time is over in a moment. */
const soonMs = 100
/** A leader stops this long after it asked for its last renewal: before the lease of 8 s has run out. */
export const fenceMs = 6000

/** What a node is told whose cluster is over. */
export const endedBy = (node: string): string =>
  `The cluster in this database is over: its node "${node}" has become a single box with everything that was in it. Serve that one without [cluster], and move the data folders of the others aside. A new cluster needs another database, or these tables dropped.`

export interface LeaseKeeperOptions {
  log: Pick<ClusterLog, 'lease' | 'release'>
  candidate: LeaseCandidate
  /** `false`: this node only looks who leads. */
  mayLead: boolean
  clock: Pick<Clock, 'monotonicMs'>
}

/** Gets and keeps the lease of a node, and knows when it has to stop. */
export class LeaseKeeper {
  private latest: Lease | null = null
  private untilMs = Number.NEGATIVE_INFINITY
  private releases = 0

  constructor(private readonly options: LeaseKeeperOptions) {}

  /** The lease as last heard of; `null`: nobody has led yet. */
  get lease(): Lease | null {
    return this.latest
  }

  /** Milliseconds for which this node leads yet; 0: it does not. */
  get leftMs(): number {
    return Math.max(0, this.untilMs - this.options.clock.monotonicMs())
  }

  /** The term that this node leads in; `null`: it does not lead. */
  get term(): number | null {
    return this.leftMs > 0 ? (this.latest?.term ?? null) : null
  }

  /**
   * Asks for the lease once.
   *
   * @param isReady whether this node can lead: it has applied all that others linked
   * @throws ClusterLogAway
   */
  async renew(isReady: boolean): Promise<void> {
    const { log, candidate, mayLead, clock } = this.options
    const askedAtMs = clock.monotonicMs()
    const asks = mayLead && isReady
    const { releases } = this
    this.latest = await log.lease(asks ? candidate : null)
    const leads = asks && this.isOurs && this.releases === releases
    this.untilMs = leads ? askedAtMs + fenceMs : Number.NEGATIVE_INFINITY
  }

  /** Leads no longer, and lets another node lead at once. @throws ClusterLogAway */
  async release(): Promise<void> {
    this.untilMs = Number.NEGATIVE_INFINITY
    this.releases++
    await this.options.log.release(this.options.candidate.run)
  }

  /** Whether this node leads and another is to lead. */
  get isAskedToYield(): boolean {
    const nominee = this.latest?.nominee ?? null
    return this.isOurs && nominee !== null && nominee !== this.options.candidate.node
  }

  /** When to ask again: in time to keep the lease, or as soon as nobody has it. */
  get pauseMs(): number {
    return this.isOurs ? renewalMs : Math.min(lookMs, Math.max(soonMs, this.latest?.leftMs ?? 0))
  }

  /** Whether another node leads, as far as is known. */
  get isOthers(): boolean {
    return this.latest !== null && this.latest.leftMs > 0 && !this.isOurs
  }

  private get isOurs(): boolean {
    return this.latest?.run === this.options.candidate.run
  }
}
