import type { NodePlace } from '../../cluster/between-nodes.ts'
import type { Standing } from '../../cluster/membership.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { inTime } from '../../lib/in-time.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import { ClusterSight, type SightNotice } from './cluster-sight.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'
import { workerFile } from './worker-file.ts'

export interface ClusterBeginning {
  config: ClusterConfig
  databaseFile: string
  /** What other nodes recognize this one by. */
  certificate: string
}

interface ClusterThreadParts extends ThreadSurroundings, ClusterBeginning {
  onStanding: (standing: Standing) => void
}

/** The answer to a question: the number of a link that has all, or the places of nodes; `null`: there is none. */
type ClusterAnswer = number | NodePlace[] | null

/**
 * From the thread: what it knows; the answer to a question with this number; or that the folder has to be opened anew, since the
 * node joins its cluster anew.
 */
export type ClusterNotice =
  | { standing: Standing }
  | { answered: number; answer: ClusterAnswer }
  | { joined: true }
  | SightNotice

/** Asks for an answer once all that the folder holds is in the cluster; or which other nodes there are. */
interface ClusterQuestion {
  ask: 'share' | 'others'
  question: number
}

/** A question; or that another process of this machine will lead in place of this one. */
export type ClusterRequest = ClusterQuestion | { passOn: true }

/** Begins work that of several nodes only the leader does; a single box does it at once. */
export type LeadersWork = (begin: () => PeriodicWork) => PeriodicWork

/** How soon work of the leader begins, and ends. */
const lookMs = 100
/** An operator waits no longer for a change to be in the cluster. */
const answerMsMax = 5000
/** Those who come to a node that was away wait no longer for it. */
const catchUpMsMax = 5000
/** What is left is linked before the thread ends. */
const closeMsMax = 4500

/** The thread that leads and follows, seen from the serving one. */
export class ClusterThread implements PeriodicWork {
  private readonly thread: ServiceThread<ClusterBeginning, ClusterNotice, ClusterRequest>
  /** What this node sees of the others. */
  readonly sight: ClusterSight
  private readonly asked = new Map<number, (answer: ClusterAnswer) => void>()
  private questions = 0
  /** Where the others were when the database last said it. */
  private places: NodePlace[] = []
  private standing: Standing | null = null
  private leadsUntilMs = Number.NEGATIVE_INFINITY
  /** Settled once this node has all that the cluster had when it began, or cannot have it. */
  private readonly catchingUp = Promise.withResolvers<void>()
  private hasCaughtUp = false
  private readonly joining = Promise.withResolvers<void>()
  /** The folder has to be opened anew. */
  readonly joinedAnew = this.joining.promise

  constructor(private readonly parts: ClusterThreadParts) {
    const { config, databaseFile, certificate, onStanding: _, ...surroundings } = parts
    this.sight = new ClusterSight(config.node, surroundings.clock)
    this.thread = new ServiceThread({
      workerFile: workerFile('cluster'),
      purpose: 'belongs to the cluster',
      settings: () => ({ config, databaseFile, certificate }),
      onMessage: (notice) => this.receive(notice),
      onDeath: () => this.bury(),
      ...surroundings,
      closeMsMax,
    })
  }

  /** Whether this node leads. It ends by itself, should the thread fall silent. */
  get leads(): boolean {
    return this.parts.clock.monotonicMs() < this.leadsUntilMs
  }

  /** The name of this node, and of the one that leads, as far as is known. */
  get names(): { node: string; leader: string | null } {
    return { node: this.parts.config.node, leader: this.standing?.leader?.node ?? null }
  }

  /** Why visitors had better be sent to another node, in one sentence; `null`: no reason is known. */
  get fault(): string | null {
    const { standing } = this
    if (standing?.isLeftBehind === true)
      return 'This node holds what the cluster went on without, and joins it anew: what it serves grows old.'
    if (standing?.leader && standing.reach === 'more' && !this.hasCaughtUp)
      return 'This node was away, and applies what it lacks: what it serves is old.'
    return this.sight.clockFault
  }

  /** Resolves once this node has what the others have, at the latest after some seconds: it may lack days. */
  async caughtUp(): Promise<void> {
    await inTime(this.catchingUp.promise, catchUpMsMax)
  }

  /** Whether all that the folder holds now is in the cluster, at the latest after 5 s. */
  async share(): Promise<boolean> {
    return (await this.ask('share')) !== null
  }

  /** Names of the nodes that lack something of what the folder holds now, at the latest after 10 s; `null`: that is not known. */
  async lacking(): Promise<string[] | null> {
    const link = await this.ask('share')
    return this.sight.lacking(typeof link === 'number' ? link : null)
  }

  /** Where the other nodes are, as far as the database says, or said when it was asked last. */
  async others(): Promise<NodePlace[]> {
    const answer = await this.ask('others')
    if (Array.isArray(answer)) this.places = answer
    return this.places
  }

  /** Work of the leader alone: begins once this node leads, and ends when it no longer does. */
  whileLeading(begin: () => PeriodicWork): PeriodicWork {
    let work: PeriodicWork | null = null
    const looking = everyInterval(
      lookMs,
      async () => {
        if (this.leads === (work !== null)) return
        const ended = work
        work = ended === null ? begin() : null
        await ended?.stop()
      },
      this.parts.log,
    )
    return {
      stop: async () => {
        await looking.stop()
        await work?.stop()
      },
    }
  }

  /** @param passesOn the process that opens the folder next goes on leading */
  stop(passesOn = false): Promise<void> {
    if (passesOn) this.thread.send({ passOn: true })
    return this.thread.stop()
  }

  private async ask(ask: ClusterQuestion['ask']): Promise<ClusterAnswer> {
    const question = this.questions++
    const answer = new Promise<ClusterAnswer>((resolve) => this.asked.set(question, resolve))
    this.thread.send({ ask, question })
    const answered = await inTime(answer, answerMsMax)
    this.asked.delete(question)
    return answered === 'late' ? null : answered
  }

  private receive(notice: ClusterNotice): void {
    if ('answered' in notice) {
      this.asked.get(notice.answered)?.(notice.answer)
      return
    }
    if ('joined' in notice) {
      this.joining.resolve()
      return
    }
    if (!('standing' in notice)) {
      this.sight.learn(notice)
      return
    }
    this.sight.noteLeader(notice.standing.leader?.node ?? null)
    const { leadsMs, hasEnded, reach } = notice.standing
    if (leadsMs > 0 || reach !== 'more') {
      this.hasCaughtUp = true
      this.catchingUp.resolve()
    }
    // What it captured would reach nobody any more.
    if (hasEnded && this.standing?.hasEnded !== true) process.kill(process.pid, 'SIGTERM')
    this.standing = notice.standing
    this.leadsUntilMs = leadsMs > 0 ? this.parts.clock.monotonicMs() + leadsMs : Number.NEGATIVE_INFINITY
    this.parts.onStanding(notice.standing)
  }

  private bury(): void {
    this.leadsUntilMs = Number.NEGATIVE_INFINITY
    this.sight.forget()
    for (const answer of this.asked.values()) answer(null)
  }
}
