import { FollowersCheck } from './check.ts'
import type { ClusterLog, Link, NodeState } from './cluster-log.ts'
import { type Replica, TwoHistories } from './replica.ts'

/**
 * How far a node is: `whole`: it has applied all links; `more`: others follow; `newer`: the next one is for a schema that
 * this program does not know; `older`: it is for one that this folder had before an upgrade; `rebased`: it goes on from a base
 * alone, whatever a folder holds; `differs`: this node has derived something else than the leader; `astray`: the chain does
 * not go on from this folder.
 */
export type Reach = 'whole' | 'more' | 'newer' | 'older' | 'rebased' | 'differs' | 'astray'

/** What a node says that it does. */
export const stateAt: Record<Reach, NodeState> = {
  ...{ whole: 'follows', more: 'follows', newer: 'paused', older: 'paused' },
  ...{ rebased: 'joins', differs: 'joins', astray: 'astray' },
}

export interface FollowingOptions {
  log: Pick<ClusterLog, 'links' | 'base'>
  replica: Replica
  /** Of the program. */
  version: string
}

/** What a follower does: it applies the chain's links to its own database. */
export class Following {
  /** Tables in which this node differed from the leader when they were compared. */
  differing: string[] = []
  private readonly check: FollowersCheck

  constructor(private readonly options: FollowingOptions) {
    this.check = new FollowersCheck(options.version)
  }

  /** Applies what comes next. @throws ClusterLogAway */
  async turn(): Promise<Reach> {
    const { log, replica } = this.options
    const links = await log.links(replica.position()?.place ?? null)
    if (links === 'elsewhere') return 'astray'
    for (const link of links) {
      const reach = await this.apply(link)
      if (reach !== 'whole') return reach
      // Between two links, the lease may be due.
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    // Also without links: at the start, or after a kill, something may be left.
    await replica.carryOut()
    return links.length === 0 ? 'whole' : 'more'
  }

  /** Applies all that there is. @throws ClusterLogAway */
  async toEnd(): Promise<Exclude<Reach, 'more'>> {
    for (;;) {
      const reach = await this.turn()
      if (reach !== 'more') return reach
    }
  }

  private async apply(link: Link): Promise<Exclude<Reach, 'more'>> {
    const { replica } = this.options
    // Stored, although this node, which led then, did not hear of it.
    if (link.id === replica.position()?.proposed) {
      replica.linked({ number: link.number, id: link.id })
      return 'whole'
    }
    if (link.schema > replica.schema) return 'newer'
    if (link.schema < replica.schema) return this.behindUpgrade()
    // Somebody else founded the cluster; or it went on without this node, which led.
    if (link.previous === null || replica.hasUnlinked()) return 'astray'
    if (link.kind === 'rebase') return 'rebased'
    if (link.kind === 'check') this.differing = await this.check.meet(link.body, replica)
    if (this.differing.length > 0) return 'differs'
    try {
      await replica.apply(link)
      return 'whole'
    } catch (error) {
      if (error instanceof TwoHistories) return 'astray'
      throw error
    }
  }

  /** Links of before the upgrade do not fit any more. The leader's upgrade brings a base. */
  private async behindUpgrade(): Promise<'older' | 'rebased'> {
    const { log, replica } = this.options
    return (await log.base())?.schema === replica.schema ? 'rebased' : 'older'
  }
}
