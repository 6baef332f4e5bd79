import type { Clock } from '../lib/clock.ts'
import { askNode, type NodePlace } from './between-nodes.ts'

/** How long a leader may take to say that it leads. */
const sayMsMax = 2000
/** For so long is that believed. */
const believedMs = 5000

/** What a node answers that is asked as the leader, and is none. */
export const doesNotLead = 421

export interface ReachedLeader {
  /** @throws when it does not answer, or does not lead */
  ask(target: string, init?: BunFetchRequestInit): Promise<Response>
  /** Aborts once somebody else leads, or nobody. */
  gone: AbortSignal
}

interface KnownLeader {
  place: NodePlace
  gone: AbortController
  believedUntilMs: number
}

/** The way from this node to the one that leads. */
export class WayToLeader {
  private leader: KnownLeader | null = null

  constructor(
    private readonly secret: Uint8Array,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    /** Called each time that the leader is not reached, although there is one. */
    private readonly onUnreached: (error: unknown) => void = () => {},
  ) {}

  /** @param place `null`: nobody else leads */
  turnTo(place: NodePlace | null): void {
    // A new one with each start of its process.
    if (place?.certificate === this.leader?.place.certificate) return
    this.leader?.gone.abort()
    this.leader = place && { place, gone: new AbortController(), believedUntilMs: Number.NEGATIVE_INFINITY }
  }

  /** Makes sure first that the leader can be reached: a connection to a machine that is gone would be waited for for minutes. */
  async open(): Promise<ReachedLeader> {
    const { leader } = this
    if (leader === null) throw new Error('nobody leads')
    const ask = (target: string, init?: BunFetchRequestInit) => this.ask(leader, target, init)
    if (this.clock.monotonicMs() >= leader.believedUntilMs) await this.meet(leader)
    return { ask, gone: leader.gone.signal }
  }

  private async meet(leader: KnownLeader): Promise<void> {
    try {
      await this.ask(leader, '/', { signal: AbortSignal.timeout(sayMsMax) })
    } catch (error) {
      this.onUnreached(error)
      throw error
    }
  }

  private async ask(leader: KnownLeader, target: string, init?: BunFetchRequestInit): Promise<Response> {
    try {
      const answer = await askNode(leader.place, this.secret, target, init)
      if (answer.status === doesNotLead) throw new Error('the node that was asked does not lead')
      leader.believedUntilMs = this.clock.monotonicMs() + believedMs
      return answer
    } catch (error) {
      leader.believedUntilMs = Number.NEGATIVE_INFINITY
      throw error
    }
  }
}
