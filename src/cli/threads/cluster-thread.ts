import type { Standing } from '../../cluster/membership.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { inTime } from '../../lib/in-time.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'
import { workerFile } from './worker-file.ts'

export interface ClusterBeginning {
  config: ClusterConfig
  databaseFile: string
}

/** From the thread: what it knows, or the answer to a question with this number. */
export type ClusterNotice = { standing: Standing } | { answered: number; isShared: boolean }

/** Asks for an answer once all that the folder holds is in the cluster. */
export interface ShareRequest {
  share: number
}

/** Begins work that of several nodes only the leader does; a single box does it at once. */
export type LeadersWork = (begin: () => PeriodicWork) => PeriodicWork

/** How soon work of the leader begins, and ends. */
const lookMs = 100
/** An operator waits no longer for a change to be in the cluster. */
const shareMsMax = 5000
/** What is left is linked before the thread ends. */
const closeMsMax = 4500

/** The thread that leads and follows, seen from the serving one. */
export class ClusterThread implements PeriodicWork {
  private readonly thread: ServiceThread<ClusterBeginning, ClusterNotice, ShareRequest>
  private readonly asked = new Map<number, (isShared: boolean) => void>()
  private questions = 0
  private standing: Standing | null = null
  private leadsUntilMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly config: ClusterConfig,
    databaseFile: string,
    private readonly surroundings: ThreadSurroundings,
  ) {
    this.thread = new ServiceThread({
      workerFile: workerFile('cluster'),
      purpose: 'belongs to the cluster',
      settings: () => ({ config, databaseFile }),
      onMessage: (notice) => this.receive(notice),
      onDeath: () => this.bury(),
      ...surroundings,
      closeMsMax,
    })
  }

  /** Whether this node leads. It ends by itself, should the thread fall silent. */
  get leads(): boolean {
    return this.surroundings.clock.monotonicMs() < this.leadsUntilMs
  }

  /** The name of this node, and of the one that leads, as far as is known. */
  get names(): { node: string; leader: string | null } {
    return { node: this.config.node, leader: this.standing?.leader?.node ?? null }
  }

  /** Whether all that the folder holds now is in the cluster, at the latest after 5 s. */
  async share(): Promise<boolean> {
    const question = this.questions++
    const answer = new Promise<boolean>((resolve) => this.asked.set(question, resolve))
    this.thread.send({ share: question })
    const isShared = await inTime(answer, shareMsMax)
    this.asked.delete(question)
    return isShared === true
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
      this.surroundings.log,
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

  private receive(notice: ClusterNotice): void {
    if ('answered' in notice) {
      this.asked.get(notice.answered)?.(notice.isShared)
      return
    }
    this.standing = notice.standing
    const { leadsMs } = notice.standing
    this.leadsUntilMs = leadsMs > 0 ? this.surroundings.clock.monotonicMs() + leadsMs : Number.NEGATIVE_INFINITY
  }

  private bury(): void {
    this.leadsUntilMs = Number.NEGATIVE_INFINITY
    for (const answer of this.asked.values()) answer(false)
  }
}
