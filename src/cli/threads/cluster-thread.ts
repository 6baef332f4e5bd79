import type { NodePlace } from '../../cluster/between-nodes.ts'
import type { Standing } from '../../cluster/membership.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { inTime } from '../../lib/in-time.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
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

/** The answer to a question: `false` where it is that there is none. */
type ClusterAnswer = boolean | NodePlace[]

/** From the thread: what it knows, or the answer to a question with this number. */
export type ClusterNotice = { standing: Standing } | { answered: number; answer: ClusterAnswer }

/** Asks for an answer once all that the folder holds is in the cluster; or which other nodes there are. */
export interface ClusterQuestion {
  ask: 'share' | 'others'
  question: number
}

/** Begins work that of several nodes only the leader does; a single box does it at once. */
export type LeadersWork = (begin: () => PeriodicWork) => PeriodicWork

/** How soon work of the leader begins, and ends. */
const lookMs = 100
/** An operator waits no longer for a change to be in the cluster. */
const answerMsMax = 5000
/** What is left is linked before the thread ends. */
const closeMsMax = 4500

/** The thread that leads and follows, seen from the serving one. */
export class ClusterThread implements PeriodicWork {
  private readonly thread: ServiceThread<ClusterBeginning, ClusterNotice, ClusterQuestion>
  private readonly asked = new Map<number, (answer: ClusterAnswer) => void>()
  private questions = 0
  private standing: Standing | null = null
  private leadsUntilMs = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: ClusterThreadParts) {
    const { config, databaseFile, certificate, onStanding: _, ...surroundings } = parts
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

  /** Whether all that the folder holds now is in the cluster, at the latest after 5 s. */
  async share(): Promise<boolean> {
    return (await this.ask('share')) === true
  }

  /** Where the other nodes are that have said something within seconds; empty: none has, or the database does not answer. */
  async others(): Promise<NodePlace[]> {
    const answer = await this.ask('others')
    return Array.isArray(answer) ? answer : []
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

  stop(): Promise<void> {
    return this.thread.stop()
  }

  private async ask(ask: ClusterQuestion['ask']): Promise<ClusterAnswer> {
    const question = this.questions++
    const answer = new Promise<ClusterAnswer>((resolve) => this.asked.set(question, resolve))
    this.thread.send({ ask, question })
    const answered = await inTime(answer, answerMsMax)
    this.asked.delete(question)
    return answered === 'late' ? false : answered
  }

  private receive(notice: ClusterNotice): void {
    if ('answered' in notice) {
      this.asked.get(notice.answered)?.(notice.answer)
      return
    }
    this.standing = notice.standing
    const { leadsMs } = notice.standing
    this.leadsUntilMs = leadsMs > 0 ? this.parts.clock.monotonicMs() + leadsMs : Number.NEGATIVE_INFINITY
    this.parts.onStanding(notice.standing)
  }

  private bury(): void {
    this.leadsUntilMs = Number.NEGATIVE_INFINITY
    for (const answer of this.asked.values()) answer(false)
  }
}
