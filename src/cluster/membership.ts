import type { Clock } from '../lib/clock.ts'
import { failureNotice } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
import type { LeadersBases } from './base-maker.ts'
import {
  type ClusterLog,
  ClusterLogAway,
  type LeaseCandidate,
  leaseMs,
  type SeenNode,
  silentMsMax,
} from './cluster-log.ts'
import { Following, type Reach, stateAt } from './following.ts'
import type { JoiningAnew } from './joining-anew.ts'
import { Leading, NotLeading } from './leading.ts'
import { endedBy, LeaseKeeper } from './lease-keeper.ts'
import type { Replica } from './replica.ts'

const leadingPauseMs = 100
const followingPauseMs = 250
/** A node that cannot follow looks whether it can now. */
const astrayPauseMs = 1000
const announcePauseMs = 2000
/** So often in a row another certificate is shown under a node's name: once, it was that of the process before. */
const namesakesMin = 2
/** How long a leader that is stopped may take to link what is left. */
const finishMs = 3000
/** A leader whose work fails for so long, as on a full disk, lets another node lead, and leads not for so long. */
export const failingMsMax = 5000
const restMs = 60_000

/** Who leads, as this node knows it. */
export interface Standing {
  /** Milliseconds for which this node leads yet, unless it says so again; 0: it does not. */
  leadsMs: number
  /** `null`: nobody leads. */
  leader: { node: string; address: string; certificate: string } | null
  reach: Reach
  /** Another node leads, and this one cannot follow it: what it serves grows old. */
  isLeftBehind: boolean
  /** The cluster is over. */
  hasEnded: boolean
}

export interface MembershipOptions {
  log: ClusterLog
  /** Makes what the log needs and is not there yet. */
  prepare: () => Promise<void>
  replica: Replica
  /** The cluster that this folder belongs to, or would found. */
  cluster: string
  candidate: LeaseCandidate
  /** Of the program. */
  version: string
  mayLead: boolean
  clock: Clock
  notices: Log
  /** Begins to make bases, each time that this node begins to lead. */
  beginBases?: () => LeadersBases
  joining?: JoiningAnew
  /** Called with each renewal and each change. */
  onStanding: (standing: Standing) => void
}

/**
 * A node's part in its cluster: it follows until it has the lease, leads as long as it has it, and follows again. The
 * lease is kept beside that work, which may take longer than a renewal may wait.
 */
export class Membership {
  private readonly keeper: LeaseKeeper
  private readonly following: Following
  /** What this node does in the term that it led last. */
  private led: { term: number; leading: Leading } | null = null
  private isLeading = false
  private bases: LeadersBases | null = null
  private reach: Reach = 'more'
  private isOver = false
  private isYielding = false
  private hasEnded = false
  /** How often in a row another process has shown itself under the name of this node. */
  private namesakes = 0
  /** Since when the work of this leader fails; `null`: it does not. */
  private failingSinceMs: number | null = null
  private restsUntilMs = Number.NEGATIVE_INFINITY
  private readonly running: Promise<void>

  constructor(private readonly options: MembershipOptions) {
    const candidate = { ...options.candidate, succeeds: options.replica.position()?.run ?? null }
    this.keeper = new LeaseKeeper({ ...options, candidate })
    this.following = new Following(options)
    options.replica.stopDelivering()
    this.running = this.run()
  }

  /** Resolves once all that the folder holds now is in the chain. @throws NotLeading */
  async share(): Promise<void> {
    if (!this.isLeading || this.led === null) throw new NotLeading('fenced')
    await this.led.leading.share()
  }

  /** The other nodes that have said something within seconds. @throws ClusterLogAway */
  async others(): Promise<SeenNode[]> {
    const { log, candidate } = this.options
    const { nodes } = await log.overview()
    return nodes.filter(({ name, silentMs }) => name !== candidate.node && silentMs <= silentMsMax)
  }

  /** @param passesOn a process that opens the folder after this one goes on leading, instead of another node */
  async stop(passesOn = false): Promise<void> {
    this.isOver = true
    await this.running
    if (!this.isLeading) return
    // Without an answer, it is as after a crash.
    const isShared = await this.led?.leading.finish(finishMs).catch(() => false)
    const { bases } = this
    this.resign()
    await bases?.stop()
    // With something left to link, this folder had better lead again.
    if (isShared && !passesOn) await this.giveBack().catch(() => {})
  }

  private async giveBack(): Promise<void> {
    this.options.replica.leadAs(null)
    await this.keeper.release()
  }

  private async run(): Promise<void> {
    const { prepare } = this.options
    await this.again('The database of the cluster could not be prepared.', () => prepare().then(() => 'done'))
    await Promise.all([
      this.again('The lease of the cluster could not be renewed.', () => this.keepLease()),
      this.again('The cluster could not be followed or led.', () => this.work()),
      this.again('The cluster could not be told of this node.', () => this.announce()),
    ])
  }

  /** Does something until it is done or this node stops, with the pauses in milliseconds that it returns. */
  private async again(message: string, work: () => Promise<number | 'done'>): Promise<void> {
    const { clock, notices } = this.options
    const onFailure = failureNotice({ message: `${message} That is tried again.`, log: notices, clock })
    while (!this.isOver) {
      const pauseMs = await work().catch((error: unknown) => {
        onFailure(error)
        return followingPauseMs
      })
      if (pauseMs === 'done') return
      await this.pause(pauseMs)
    }
  }

  /** In pieces, so that a stop need not wait. */
  private async pause(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0 && !this.isOver; leftMs -= leadingPauseMs)
      await Bun.sleep(Math.min(leftMs, leadingPauseMs))
  }

  private async keepLease(): Promise<number> {
    const { clock } = this.options
    const beganAtMs = clock.monotonicMs()
    try {
      await this.keeper.renew(this.reach === 'whole' && beganAtMs >= this.restsUntilMs)
    } finally {
      this.tell()
    }
    return Math.max(0, this.keeper.pauseMs - (clock.monotonicMs() - beganAtMs))
  }

  private async announce(): Promise<number> {
    const { log, replica, candidate, version, mayLead } = this.options
    const { node: name, address, certificate } = candidate
    const applied = replica.position()?.place?.number ?? 0
    const news = { name, address, certificate, version, applied, mayLead, state: stateAt[this.reach] }
    this.noteNamesake(await log.announce({ ...news, schema: replica.schema }))
    return announcePauseMs
  }

  /** @param before the certificate that was last shown under the name of this node */
  private noteNamesake(before: string | null): void {
    const { notices, candidate } = this.options
    const isOther = before !== null && before !== candidate.certificate
    this.namesakes = isOther ? this.namesakes + 1 : 0
    if (this.namesakes === namesakesMin)
      notices.error(
        'Another machine is in the cluster under the name of this node, so that neither knows of the other. Give each a [cluster] node of its own, and restart them.',
        { node: candidate.node },
      )
  }

  private async work(): Promise<number> {
    const { term } = this.keeper
    if (term === null) return this.follow()
    try {
      const leading = await this.leadingIn(term)
      if (this.keeper.isAskedToYield) return await this.handOver(leading)
      await leading.turn()
      this.failingSinceMs = null
      return leadingPauseMs
    } catch (error) {
      if (error instanceof NotLeading) return this.follow()
      if (!(error instanceof ClusterLogAway)) await this.restAfterFailures()
      throw error
    }
  }

  /** An operator wants another node to lead. Led work ends first, since the other gets what that changes too. */
  private async handOver(leading: Leading): Promise<number> {
    const { clock, log, notices } = this.options
    this.isYielding = true
    this.tell()
    try {
      if (await leading.shareAll()) {
        this.restsUntilMs = clock.monotonicMs() + leaseMs
        this.resign()
        await this.giveBack()
        return leadingPauseMs
      }
      await log.nominate(null)
      await this.keeper.renew(true)
      notices.warn('This node goes on leading: it could not share all that it has with the node that was to lead.')
      return leadingPauseMs
    } finally {
      this.isYielding = false
      this.tell()
    }
  }

  /** The only node goes on trying: nobody else would lead. */
  private async restAfterFailures(): Promise<void> {
    const { clock, candidate, notices } = this.options
    const nowMs = clock.monotonicMs()
    this.failingSinceMs ??= nowMs
    if (nowMs - this.failingSinceMs < failingMsMax) return
    if (!(await this.others()).some(({ state, mayLead }) => mayLead && state === 'follows')) return
    this.failingSinceMs = null
    this.restsUntilMs = nowMs + restMs
    notices.error('This node fails at what a leader has to do, and lets another node lead.', { node: candidate.node })
    await this.keeper.release()
  }

  private async follow(): Promise<number> {
    const { replica, joining } = this.options
    const before = this.reach
    try {
      this.resign()
      // Also after a resignation that failed, as on a full disk.
      replica.stopDelivering()
      this.reach = (await this.belongs()) ? await this.following.turn() : 'astray'
    } catch (error) {
      // Whoever cannot follow could not lead, and would keep the lease from others.
      if (!(error instanceof ClusterLogAway)) this.reach = 'more'
      throw error
    }
    if (this.reach !== before) {
      this.noteReach()
      this.tell()
    }
    if (this.reach === 'whole') joining?.settle()
    // One without a place is no node's: a restored backup, say.
    if (this.needsJoin && replica.position()?.place) await joining?.join()
    if (this.reach === 'more') return 0
    return this.reach === 'whole' ? followingPauseMs : astrayPauseMs
  }

  /** Whether this folder is a part of the cluster. Where nobody has begun one, it does. */
  private async belongs(): Promise<boolean> {
    const { log, replica, cluster } = this.options
    if (replica.position() !== null) return true
    const links = await log.links(null)
    if (links === 'elsewhere' || links.length > 0) return false
    replica.found(cluster)
    return true
  }

  private async leadingIn(term: number): Promise<Leading> {
    const { replica, notices, candidate } = this.options
    if (this.isLeading && this.led?.term === term) return this.led.leading
    replica.leadAs(candidate.run)
    // In the same term nobody else has led: what was sent may yet be stored, and is sent again.
    if (this.led?.term !== term) this.led = { term, leading: this.leadingOf(term) }
    const { leading } = this.led
    // What an earlier leader added since this node looked last.
    if ((await this.following.toEnd()) !== 'whole') throw new NotLeading('elsewhere')
    await leading.begin()
    // Only once it has processed what the leader before has delivered.
    while (!replica.startDelivering()) {
      if (this.isOver || this.keeper.term !== term) throw new NotLeading('fenced')
      await Bun.sleep(leadingPauseMs)
    }
    this.isLeading = true
    this.bases = this.options.beginBases?.() ?? null
    notices.info('This node leads the cluster.', { node: candidate.node, term })
    this.tell()
    return leading
  }

  private leadingOf(term: number): Leading {
    const { log, replica, clock, candidate, version } = this.options
    return new Leading({
      ...{ log, replica, clock, term, version },
      run: candidate.run,
      leads: () => this.keeper.term === term,
      bases: () => this.bases,
    })
  }

  private resign(): void {
    if (!this.isLeading) return
    const { replica, notices, candidate } = this.options
    this.isLeading = false
    void this.bases?.stop()
    this.bases = null
    replica.stopDelivering()
    notices.warn('This node no longer leads the cluster.', { node: candidate.node })
    this.tell()
  }

  private tell(): void {
    const { lease } = this.keeper
    const isHeld = lease !== null && lease.leftMs > 0
    const leader = isHeld ? { node: lease.node, address: lease.address, certificate: lease.certificate } : null
    const { reach, isLeftBehind } = this
    const hasEnded = lease?.hasEnded ?? false
    if (lease && hasEnded && !this.hasEnded) this.options.notices.error(endedBy(lease.node))
    this.hasEnded = hasEnded
    this.options.onStanding({
      leadsMs: this.isLeading && !this.isYielding ? this.keeper.leftMs : 0,
      leader,
      reach,
      isLeftBehind,
      hasEnded,
    })
  }

  /** While nobody leads, an astray folder may be the one that has most. */
  private get needsJoin(): boolean {
    return this.isLeftBehind || this.reach === 'rebased' || this.reach === 'differs'
  }

  private get isLeftBehind(): boolean {
    return this.reach === 'astray' && this.keeper.isOthers
  }

  private noteReach(): void {
    const { notices, replica } = this.options
    if (this.reach === 'newer')
      notices.warn('The cluster has a newer version: this node follows again once it has that version too.')
    if (this.reach === 'older')
      notices.warn('The cluster has an older version: this node follows again once the leader has this version too.')
    if (this.reach === 'rebased')
      notices.info('The leader changed what no log carries: this node joins anew from a copy, and captures meanwhile.')
    if (this.reach === 'differs')
      notices.error('This node has derived something else than the leader: it joins anew, and captures meanwhile.', {
        tables: this.following.differing.join(', '),
      })
    if (this.reach !== 'astray') return
    if (!replica.position()?.place)
      notices.error(
        'This data folder has a history that the cluster does not share: it captures, and follows no longer. Stop the service, move the folder aside, and run `capture cluster join`.',
      )
    else
      notices.warn(
        'The cluster went on without what this data folder holds: this node joins anew, and captures meanwhile.',
      )
  }
}
