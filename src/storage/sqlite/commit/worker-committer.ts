import {
  type BatchCommitter,
  type CommittedBatch,
  plainlyCommitted,
  type WriteBatch,
} from '../../../capture/write-batch.ts'
import { WriterGone } from '../../../ledger/writer.ts'
import { splitEntries } from '../ledger/ledger-codec.ts'
import { SlowMark, type WorkedEntries } from '../steps/slow-entries.ts'
import type { CommitReply, ThreadNotice } from './worker-messages.ts'
import { type ThreadWorkplace, WritingThread } from './writing-thread.ts'

/** How long the thread may take to close its connection; after that, the process ends without it. */
const closeMsMax = 5000

/**
 * Patience is counted in ticks, not by the clock: after a suspension of the whole machine, the replies are already
 * there.
 */
const tickMsByDefault = 500
/** A batch without a reply for so many ticks is given up: after 4 s, so that its captures are answered within 5. */
export const patienceTicks = 8
/** A thread that stays silent for so many further ticks is ended and, once it has ended, replaced: after 30 s. */
export const replaceTicks = 60
/**
 * Replaced in vain so often in a row, a thread is given ten minutes: what held it holds its replacements too, and what
 * it is at may come to an end, which each replacement would begin anew.
 */
export const vainReplacementsMax = 2
export const lastReplaceTicks = 1200
/** A thread that is silent for so many ticks has not ended, or is not to be replaced: the operator has to act. */
export const hangTicks = replaceTicks + 10
/** A replacement that answered for so long was not in vain: ten minutes. */
const soundAnswersTicks = 1200

/** Between two looks at how long the thread is at an entry. */
const watchMs = 50
/** A thread that took too long with an entry cannot be ended if it is still there after so many looks: after 5 s. */
const endLooksMax = 100

/** Pauses before a dead thread is replaced: none the first time, then longer ones, up to a second. */
export const restartPausesMs = [0, 100, 250, 500, 1000]
/** A thread that lived this long did not fail at its start, so the next one is started at once. */
const soundLifeTicks = 20

interface Pending {
  batch: WriteBatch
  tick: number
  resolve: (committed: CommittedBatch) => void
  reject: (error: Error) => void
}

export interface WorkerCommitterOptions extends ThreadWorkplace {
  latestEntryIds: (count: number) => Set<string>
  /** Called with everything an operator should know about the thread and processing, as often as it happens. */
  onNotice: (notice: ThreadNotice) => void
  tickMs?: number
}

/**
 * Commits on a thread of its own, so that the event loop that answers requests never waits for the disk
 * (docs/decisions/0002).
 *
 * When the thread dies, the database shows which of its batches were stored: these resolve, the others are rejected.
 * When it hangs, its batches are rejected, although it is unknown whether the present one is stored; later ones are
 * withdrawn, and until the thread answers again, everything is rejected at once. Two threads never write: a replacement
 * waits for the end of the one that hangs in a call of the system, so that no more than one does.
 *
 * When processing takes too long with an entry, a file says with which, and the thread is replaced: the next one sets
 * the entry aside and commits what waits (docs/decisions/0074).
 */
export class WorkerCommitter implements BatchCommitter {
  /** `null`: it died, and its successor has not started yet. */
  private thread: WritingThread | null = null
  /** Handed over and unanswered, oldest first: replies come in the same order. */
  private pending: Pending[] = []
  /** Batches older than all pending ones, whose callers were rejected while the thread was silent. */
  private abandoned = 0
  private tick = 0
  private silentSinceTick = 0
  private startedAtTick = 0
  private deaths = 0
  /** Threads in a row that were ended because of their silence. */
  private vainReplacements = 0
  private closed: (() => void) | null = null
  private isClosing = false
  private restart: Timer | null = null
  /** Looks since the thread was ended because of a slow entry; `null`: it was not. */
  private endLooks: number | null = null
  private readonly slowMark: SlowMark
  private readonly ticker: Timer
  private readonly watcher: Timer

  constructor(private readonly options: WorkerCommitterOptions) {
    // Start before there is anything to commit: the thread also processes waiting entries.
    this.start()
    this.slowMark = new SlowMark(options.databaseFile)
    this.ticker = setInterval(() => this.look(), options.tickMs ?? tickMsByDefault)
    this.watcher = setInterval(() => void this.watch(), watchMs)
  }

  commit(batch: WriteBatch): Promise<CommittedBatch> {
    const { thread } = this
    if (thread === null) return Promise.reject(new WriterGone('the writing thread is being started again'))
    if (this.abandoned > 0) return Promise.reject(new WriterGone('the writing thread does not answer'))
    return new Promise((resolve, reject) => {
      this.pending.push({ batch, tick: this.tick, resolve, reject })
      thread.send({ commit: batch })
    })
  }

  async close(): Promise<void> {
    this.isClosing = true
    clearInterval(this.ticker)
    clearInterval(this.watcher)
    if (this.restart !== null) clearTimeout(this.restart)
    const { thread } = this
    if (thread === null) return
    let timer: Timer | undefined
    await new Promise<void>((resolve) => {
      this.closed = resolve
      timer = setTimeout(resolve, closeMsMax)
      thread.send({ close: true })
    })
    clearTimeout(timer)
    thread.end('it was closed')
  }

  look(): void {
    this.tick++
    const oldest = this.pending[0]
    if (oldest !== undefined && this.tick - oldest.tick > patienceTicks) this.abandon()
    if (this.abandoned === 0) return
    const silentTicks = this.tick - this.silentSinceTick
    if (silentTicks === hangTicks) this.options.onNotice({ threadHangs: true })
    if (silentTicks === (this.vainReplacements < vainReplacementsMax ? replaceTicks : lastReplaceTicks)) {
      this.vainReplacements++
      this.thread?.end('it did not answer and was ended')
    }
  }

  /** One look at processing: ends a thread that is at an entry for too long. */
  private async watch(): Promise<void> {
    if (this.endLooks !== null) {
      if (++this.endLooks === endLooksMax) this.options.onNotice({ threadStuck: true })
      return
    }
    const { thread } = this
    const slow = thread?.watch.look() ?? null
    if (thread === null || slow === null) return
    this.endLooks = 0
    const isNoted = await this.noteSlow(slow)
    if (this.thread !== thread) return
    if (thread.watch.isStuck()) return thread.end('it took too long with an entry')
    if (isNoted) this.slowMark.remove()
    this.endLooks = null
  }

  /** Whether it was noted; otherwise the next thread meets the entry again, and commits go on meanwhile. */
  private async noteSlow(slow: WorkedEntries): Promise<boolean> {
    try {
      await this.slowMark.write({ ...slow, version: this.options.version })
      return true
    } catch {
      return false
    }
  }

  private start(): void {
    this.endLooks = null
    this.startedAtTick = this.tick
    this.thread = new WritingThread(this.options, {
      onReply: (reply) => this.receive(reply),
      onEnd: (reason) => this.buryThread(reason),
    })
  }

  private receive(reply: CommitReply): void {
    if (typeof reply === 'number') {
      for (const { resolve } of this.answered(reply)) resolve(plainlyCommitted)
    } else if ('committed' in reply) {
      const skipped = Math.min(reply.committed.length, this.abandoned)
      const answered = this.answered(reply.committed.length)
      for (const [index, { resolve }] of answered.entries())
        resolve(reply.committed[skipped + index] ?? plainlyCommitted)
    } else if ('failed' in reply) {
      for (const { reject } of this.answered(reply.batches)) reject(new Error(reply.failed))
    } else if ('closed' in reply) {
      this.closed?.()
    } else {
      this.options.onNotice(reply)
    }
  }

  /** The callers that a reply for so many batches is for. Those given up no longer wait. */
  private answered(batches: number): Pending[] {
    if (this.abandoned === 0) return this.pending.splice(0, batches)
    const late = Math.min(batches, this.abandoned)
    this.abandoned -= late
    if (this.abandoned === 0) this.options.onNotice({ threadAnswers: true })
    return this.pending.splice(0, batches - late)
  }

  private abandon(): void {
    const given = this.pending.splice(0)
    this.abandoned = given.length
    this.silentSinceTick = this.tick
    if (this.tick - this.startedAtTick >= soundAnswersTicks) this.vainReplacements = 0
    this.thread?.send({ withdraw: true })
    this.options.onNotice({ threadSilent: true })
    for (const { reject } of given) reject(new WriterGone('the writing thread does not answer'))
  }

  private buryThread(reason: string): void {
    const wasSlow = this.endLooks !== null
    this.thread = null
    this.abandoned = 0
    const pending = this.pending.splice(0)
    if (wasSlow && !this.isClosing) {
      this.succeed(pending)
      return
    }
    if (!this.isClosing) this.options.onNotice({ threadEnded: reason })
    this.settle(pending, reason)
    this.closed?.()
    if (!this.isClosing) this.startAgain()
  }

  /** At once, and with what waited for the thread: inside a step of processing, it cannot have begun any of it. */
  private succeed(pending: Pending[]): void {
    this.start()
    for (const waiting of this.unsettled(pending)) {
      this.pending.push(waiting)
      this.thread?.send({ commit: waiting.batch })
    }
  }

  private settle(pending: Pending[], reason: string): void {
    for (const { reject } of this.unsettled(pending)) reject(new WriterGone(`the writing thread died: ${reason}`))
  }

  /** Resolves those that are stored; returns the others. */
  private unsettled(pending: Pending[]): Pending[] {
    const outcomes = storedBatches(
      pending.map(({ batch }) => batch),
      this.options.latestEntryIds,
    )
    return pending.filter(({ resolve }, index) => {
      const committed = outcomes[index]
      if (committed) resolve(committed)
      return !committed
    })
  }

  private startAgain(): void {
    if (this.tick - this.startedAtTick >= soundLifeTicks) this.deaths = 0
    const pauseMs = restartPausesMs[Math.min(this.deaths, restartPausesMs.length - 1)] ?? 0
    this.deaths++
    // Start at once: the next batch needs the thread.
    if (pauseMs === 0) this.start()
    else this.restart = setTimeout(() => this.start(), pauseMs)
  }
}

/**
 * The outcomes of batches, oldest first, whose thread died before it answered; `null`: not known to be stored. Batches
 * are committed in order and whole, so if any part of one is stored, all earlier ones are.
 *
 * A batch without entries and without a stored one after it counts as not stored: its refusals may be counted twice,
 * and a spent challenge must be requested again.
 *
 * @param latestEntryIds the ids of the latest so many entries in the database
 */
function storedBatches(
  batches: readonly WriteBatch[],
  latestEntryIds: (count: number) => Set<string>,
): (CommittedBatch | null)[] {
  const ids = batches.map(({ entries }) => [...splitEntries(entries)].map(({ id }) => id))
  const stored = knownIds(ids.flat().length, latestEntryIds)
  const last = ids.findLastIndex((of) => of.some((id) => stored.has(id)))
  return ids.map((of, index) => {
    if (index > last) return null
    return { homeless: of.flatMap((id, position) => (stored.has(id) ? [] : [position])), spent: [] }
  })
}

function knownIds(count: number, latestEntryIds: (count: number) => Set<string>): Set<string> {
  if (count === 0) return new Set()
  try {
    return latestEntryIds(count)
  } catch {
    // The thread probably died because of the disk, which then cannot be read either.
    return new Set()
  }
}
