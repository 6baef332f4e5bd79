import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { BaseUnderWay, LeadersBases } from './base-maker.ts'
import { encodeBaseNote } from './base-store.ts'
import { encodeCheck, LeadersCheck } from './check.ts'
import { batchesFormat } from './cluster-committer.ts'
import type { ClusterLog, IntakeBatch, Link } from './cluster-log.ts'
import type { BaseContent, Replica } from './replica.ts'

/** How often what happened becomes a link, unless somebody waits for it. */
const linkMs = 1000
const finishPauseMs = 50
/** For so long a leader that is to hand over tries to share everything, while what it does as the leader comes to an end. */
const yieldMsMax = 15_000
const yieldPauseMs = 500
/** After a base that could not be put into the store. */
const rebasePauseMs = 60_000
/** While so many batches are in no link, the others stay in the intake: a take and a link that name more take the database too long. */
const unlinkedMax = 20_000
/** Committed before the lease may be renewed: about 50 ms, a second on a slow disk. */
const entriesAtOnceMax = 2000

export interface LeadingOptions {
  log: Pick<ClusterLog, 'take' | 'link'>
  replica: Replica
  clock: Clock
  /** Of the lease. */
  run: string
  term: number
  /** Whether this node still has the lease. */
  leads: () => boolean
  /** Of the program. */
  version: string
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

type NewLink = Pick<Link, 'kind' | 'body' | 'taken'> & { id?: string }

interface Sharing {
  /** The end of the ledger when it was asked. */
  sequence: number
  resolve: () => void
}

/** A base on its way into the chain, in place of links. */
interface Rebasing extends BaseContent {
  /** Of the link that will announce it. */
  id: string
  base: BaseUnderWay
  sinceMs: number
}

/** What the leader does: it commits the intake to its own database, and makes links of what changed there. */
export class Leading {
  private linkedAtMs = Number.NEGATIVE_INFINITY
  /** Asked by operators, who wait for it. */
  private sharing: Sharing[] = []
  /** Sent, and perhaps stored: a new link would be another one of the same number. */
  private pending: Link | null = null
  private rebasing: Rebasing | null = null
  /** What is committed while the database is copied for a base would be in the copy, and in no link. */
  private isHolding = false
  private readonly check: LeadersCheck
  private hasBegun = false

  constructor(private readonly options: LeadingOptions) {
    this.check = new LeadersCheck(options.version, options.clock)
  }

  /** Begins the term: from here on, no earlier leader can add anything. Once it has begun, does nothing. @throws NotLeading */
  async begin(): Promise<void> {
    if (this.hasBegun) return
    if (this.pending === null) await this.addFirst()
    else await this.store(this.pending)
    this.hasBegun = true
  }

  /** Takes what is in the intake, and links once it is time. @throws NotLeading @throws ClusterLogAway */
  async turn(): Promise<void> {
    const { clock } = this.options
    const isQuiet = this.isHolding || this.check.wantsQuiet
    if (!isQuiet) await this.take()
    const isDue = clock.monotonicMs() - this.linkedAtMs >= linkMs
    if (this.pending !== null || isDue || this.sharing.length > 0 || isQuiet) await this.link()
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

  /** Links what is left until nothing comes any more. @returns `false`: something does, or could not be linked */
  async shareAll(): Promise<boolean> {
    const { clock, replica } = this.options
    for (const untilMs = clock.monotonicMs() + yieldMsMax; clock.monotonicMs() < untilMs; ) {
      await Bun.sleep(yieldPauseMs)
      if ((await this.finish(yieldPauseMs)) && !replica.hasUnlinked()) return true
    }
    return false
  }

  /** Resolves once all that the folder holds now is in the chain. */
  share(): Promise<void> {
    return new Promise((resolve) => this.sharing.push({ sequence: this.options.replica.lastSequence(), resolve }))
  }

  private async addFirst(): Promise<void> {
    const next = this.options.replica.nextLink()
    if (next === null || next === 'base') await this.add({ kind: 'term', body: new Uint8Array(), taken: [] })
    else await this.add({ kind: 'rows', ...next })
  }

  private async take(): Promise<void> {
    const { log, replica, clock, leads } = this.options
    const unlinked = replica.takenIds()
    if (unlinked.length >= unlinkedMax) return
    const batches = await log.take(unlinked)
    // Of a newer version, whose node will lead: left for it.
    const known = batches.filter(({ format }) => format === batchesFormat)
    for (const portion of portionsOf(known)) {
      if (!leads()) throw new NotLeading('fenced')
      replica.commit(portion, clock.now())
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
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
    if (next === 'base') {
      await this.rebase()
      return
    }
    if (next !== null) await this.add({ kind: 'rows', ...next })
    if (next?.isWhole === false) return
    // An entry is linked once it is processed, which takes a moment.
    const isShared = (waiting: Sharing) => asked.has(waiting) && (replica.position()?.linkedTo ?? 0) >= waiting.sequence
    for (const { resolve } of this.sharing.filter(isShared)) resolve()
    this.sharing = this.sharing.filter((waiting) => !isShared(waiting))
    if (base !== null && (replica.position()?.linkedTo ?? 0) >= base.to)
      await this.add({ kind: 'base', body: encodeBaseNote(base.note), taken: [] })
    const check = this.check.next(replica)
    if (check !== null) await this.add({ kind: 'check', body: encodeCheck(check), taken: [] })
  }

  /**
   * Puts all that the folder holds into the store as a base, and then into the chain by one link. Should this node die before,
   * another goes on as if nothing of it had happened: its batches are still in the intake.
   */
  private async rebase(): Promise<void> {
    const { replica, clock } = this.options
    const bases = this.options.bases()
    if (bases === null) return
    if (this.rebasing === null) {
      this.isHolding = true
      const id = newId()
      const content = replica.proposeBase(id)
      if (content !== null) this.rebasing = { id, ...content, base: bases.remake(), sinceMs: clock.monotonicMs() }
      return
    }
    const { id, to, taken, base, sinceMs } = this.rebasing
    this.isHolding = base.state === 'copying'
    if (base.state === 'copying' || base.state === 'putting') return
    if (base.state === 'failed') {
      if (clock.monotonicMs() - sinceMs >= rebasePauseMs) this.rebasing = null
      return
    }
    this.rebasing = null
    // A command may have added an entry while the database was copied.
    if (base.state.to === to) await this.add({ kind: 'rebase', body: encodeBaseNote(base.state.note), taken, id })
  }

  private async add({ kind, body, taken, id = newId() }: NewLink): Promise<void> {
    const { replica, term } = this.options
    const { schema } = replica
    const place = replica.position()?.place ?? null
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
    replica.propose(id, kind === 'rows' || kind === 'rebase')
    await this.store(this.pending)
  }

  private async store(link: Link): Promise<void> {
    const { log, replica, run, leads } = this.options
    if (!leads()) throw new NotLeading('fenced')
    const outcome = await log.link(link, run)
    if (outcome !== 'stored') throw new NotLeading(outcome)
    this.pending = null
    if (link.kind === 'base' || link.kind === 'rebase') this.options.bases()?.announced()
    // While this node did not lead for a moment, it may have found its link by following.
    if (replica.position()?.place?.id !== link.id) replica.linked({ number: link.number, id: link.id })
  }
}

function* portionsOf(batches: readonly IntakeBatch[]): Generator<IntakeBatch[]> {
  let portion: IntakeBatch[] = []
  let entries = 0
  for (const batch of batches) {
    portion.push(batch)
    entries += batch.entries
    if (entries < entriesAtOnceMax) continue
    yield portion
    portion = []
    entries = 0
  }
  if (portion.length > 0) yield portion
}
