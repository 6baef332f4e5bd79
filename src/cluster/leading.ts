import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { LeadersBases } from './base-maker.ts'
import { encodeBaseNote } from './base-store.ts'
import { batchesFormat } from './cluster-committer.ts'
import type { ClusterLog, Link, LinkKind } from './cluster-log.ts'
import type { Replica } from './replica.ts'

/** How often what happened becomes a link, unless somebody waits for it. */
const linkMs = 1000
const finishPauseMs = 50

export interface LeadingOptions {
  log: Pick<ClusterLog, 'take' | 'link'>
  replica: Replica
  clock: Clock
  /** Of the lease. */
  run: string
  term: number
  /** Whether this node still has the lease. */
  leads: () => boolean
  /** What makes bases; `null`: nothing, or not yet. */
  bases: () => LeadersBases | null
}

/** Another leads, or the chain has another end than this folder: nothing was added. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading'

  constructor(readonly why: 'fenced' | 'elsewhere') {
    super(why === 'fenced' ? 'another node leads' : 'the chain of the cluster does not end at this folder')
  }
}

interface Sharing {
  /** The end of the ledger when it was asked. */
  sequence: number
  resolve: () => void
}

/** What the leader does: it commits the intake to its own database, and makes links of what changed there. */
export class Leading {
  private linkedAtMs = Number.NEGATIVE_INFINITY
  /** Asked by operators, who wait for it. */
  private sharing: Sharing[] = []
  /** Sent, and perhaps stored: a new link would be another one of the same number. */
  private pending: Link | null = null

  constructor(private readonly options: LeadingOptions) {}

  /** Begins the term: from here on, no earlier leader can add anything. @throws NotLeading */
  async begin(): Promise<void> {
    const next = this.options.replica.nextLink()
    if (next === null) await this.add('term', new Uint8Array(), [])
    else await this.add('rows', next.body, next.taken)
  }

  /** Takes what is in the intake, and links once it is time. @throws NotLeading @throws ClusterLogAway */
  async turn(): Promise<void> {
    const { clock } = this.options
    await this.take()
    const isDue = clock.monotonicMs() - this.linkedAtMs >= linkMs
    if (this.pending !== null || isDue || this.sharing.length > 0) await this.link()
  }

  /**
   * Links what is left, and takes no more: a folder that holds more than the chain could not follow another leader.
   *
   * @returns whether all is linked
   */
  async finish(withinMs: number): Promise<boolean> {
    const { clock } = this.options
    const untilMs = clock.monotonicMs() + withinMs
    let isDone = false
    void this.share().then(() => {
      isDone = true
    })
    while (!isDone && clock.monotonicMs() < untilMs) {
      await this.link()
      if (!isDone) await Bun.sleep(finishPauseMs)
    }
    return isDone
  }

  /** Resolves once all that the folder holds now is in the chain. */
  share(): Promise<void> {
    return new Promise((resolve) => this.sharing.push({ sequence: this.options.replica.lastSequence(), resolve }))
  }

  private async take(): Promise<void> {
    const { log, replica, clock, leads } = this.options
    const batches = await log.take(replica.takenIds())
    // Of a newer version, whose node will lead: left for it.
    const known = batches.filter(({ format }) => format === batchesFormat)
    if (known.length === 0) return
    if (!leads()) throw new NotLeading('fenced')
    replica.commit(known, clock.now())
  }

  private async link(): Promise<void> {
    const { replica, clock } = this.options
    if (this.pending !== null) await this.store(this.pending)
    this.linkedAtMs = clock.monotonicMs()
    // Whoever asks while the link is made may have changed what it no longer contains.
    const asked = new Set(this.sharing)
    // So it is with a base: only what is linked after its copy holds all of it.
    const base = this.options.bases()?.made ?? null
    const next = replica.nextLink()
    if (next !== null) await this.add('rows', next.body, next.taken)
    if (next?.isWhole === false) return
    // An entry is linked once it is processed, which takes a moment.
    const isShared = (waiting: Sharing) => asked.has(waiting) && (replica.position()?.linkedTo ?? 0) >= waiting.sequence
    for (const { resolve } of this.sharing.filter(isShared)) resolve()
    this.sharing = this.sharing.filter((waiting) => !isShared(waiting))
    if (base !== null && (replica.position()?.linkedTo ?? 0) >= base.to)
      await this.add('base', encodeBaseNote(base.note), [])
  }

  private async add(kind: LinkKind, body: Uint8Array, taken: string[]): Promise<void> {
    const { replica, term } = this.options
    const { schema } = replica
    const place = replica.position()?.place ?? null
    const id = newId()
    this.pending = {
      number: (place?.number ?? 0) + 1,
      id,
      previous: place?.id ?? null,
      term,
      schema,
      kind,
      taken,
      body,
    }
    // Remembered first: after a crash, only so is it known whose link it is that the chain ends at.
    replica.propose(id, kind === 'rows')
    await this.store(this.pending)
  }

  private async store(link: Link): Promise<void> {
    const { log, replica, run, leads } = this.options
    if (!leads()) throw new NotLeading('fenced')
    const outcome = await log.link(link, run)
    if (outcome !== 'stored') throw new NotLeading(outcome)
    this.pending = null
    if (link.kind === 'base') this.options.bases()?.announced()
    // While this node did not lead for a moment, it may have found its link by following.
    if (replica.position()?.place?.id !== link.id) replica.linked({ number: link.number, id: link.id })
  }
}
