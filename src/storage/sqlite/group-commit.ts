import type { RefusalCount } from '../../capture/refusal-log.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { joinEntries } from './ledger-codec.ts'
import type { BatchCommitter, ChallengeSpend, CommittedBatch } from './write-batch.ts'

/** Characters of entries that may wait for a commit; beyond it `append` rejects. About 4,000 of the largest bodies. */
const waitingCharactersMax = 64 * 1024 * 1024
/** Characters that one transaction takes at most, so that a commit stays short. */
const batchCharactersMax = 4 * 1024 * 1024
/** Challenge spends that may wait. */
const waitingSpendsMax = 10_000
/** After a failed commit, how long appends are refused at once before the disk is tried again. */
const retryAfterFailureMs = 500

interface Waiting {
  lines: string[]
  characters: number
  resolve: () => void
  reject: (error: Error) => void
}

interface WaitingSpend {
  spend: ChallengeSpend
  resolve: (unspent: boolean) => void
  reject: (error: Error) => void
}

interface WaitingRefusals {
  counts: RefusalCount[]
  resolve: () => void
  reject: (error: Error) => void
}

/**
 * Group commit: whatever arrives while one batch is being made durable becomes the next batch, so that many requests
 * share one fsync and none waits longer than two.
 */
export class GroupCommit {
  private entries: Waiting[] = []
  private spends: WaitingSpend[] = []
  private refusals: WaitingRefusals[] = []
  private waitingCharacters = 0
  private committing: Promise<void> | null = null
  private failedAtMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly committer: BatchCommitter,
    private readonly clock: Clock,
    /** Told of each failed commit, once, so that an operator hears of it. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Resolves when all lines are on disk. @throws LedgerUnavailable */
  append(lines: string[]): Promise<void> {
    let characters = 0
    for (const line of lines) characters += line.length
    if (this.resting()) return Promise.reject(new LedgerUnavailable('the last commit failed'))
    if (this.waitingCharacters + characters > waitingCharactersMax) {
      return Promise.reject(new LedgerUnavailable('too much waits to be stored'))
    }
    this.waitingCharacters += characters
    return new Promise((resolve, reject) => {
      this.entries.push({ lines, characters, resolve, reject })
      this.start()
    })
  }

  /** Whether the challenge was unspent until now. @throws LedgerUnavailable */
  spend(spend: ChallengeSpend): Promise<boolean> {
    if (this.resting() || this.spends.length >= waitingSpendsMax) {
      return Promise.reject(new LedgerUnavailable('challenges cannot be recorded now'))
    }
    return new Promise((resolve, reject) => {
      this.spends.push({ spend, resolve, reject })
      this.start()
    })
  }

  /** @throws LedgerUnavailable; then the caller still holds the counts. */
  addRefusals(counts: RefusalCount[]): Promise<void> {
    if (this.resting()) return Promise.reject(new LedgerUnavailable('the last commit failed'))
    return new Promise((resolve, reject) => {
      this.refusals.push({ counts, resolve, reject })
      this.start()
    })
  }

  /** Waits until everything taken so far is committed, then closes. */
  async close(): Promise<void> {
    while (this.committing) await this.committing
    await this.committer.close()
  }

  private resting(): boolean {
    return this.clock.monotonicMs() - this.failedAtMs < retryAfterFailureMs
  }

  private start(): void {
    if (this.committing) return
    this.committing = this.commitWaiting().finally(() => {
      this.committing = null
    })
  }

  private async commitWaiting(): Promise<void> {
    // Requests arrive several at a time: those of this turn of the event loop share the first commit.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.entries.length + this.spends.length + this.refusals.length > 0) {
      await this.commitOne(this.takeEntries(), this.spends.splice(0), this.refusals.splice(0))
    }
  }

  private takeEntries(): Waiting[] {
    let characters = 0
    let count = 0
    for (const waiting of this.entries) {
      if (count > 0 && characters + waiting.characters > batchCharactersMax) break
      characters += waiting.characters
      count++
    }
    this.waitingCharacters -= characters
    return this.entries.splice(0, count)
  }

  private async commitOne(entries: Waiting[], spends: WaitingSpend[], refusals: WaitingRefusals[]): Promise<void> {
    const lines: string[] = []
    for (const waiting of entries) for (const line of waiting.lines) lines.push(line)
    try {
      const committed = await this.committer.commit({
        entries: joinEntries(lines),
        refusals: refusals.flatMap((waiting) => waiting.counts),
        spends: spends.map((waiting) => waiting.spend),
      })
      settle(entries, committed)
      for (const [index, waiting] of spends.entries()) waiting.resolve(committed.spent[index] === true)
      for (const waiting of refusals) waiting.resolve()
    } catch (error) {
      this.failedAtMs = this.clock.monotonicMs()
      this.onFailure(error)
      const unavailable = new LedgerUnavailable('the commit failed', {
        cause: error,
      })
      for (const waiting of [...entries, ...spends, ...refusals]) waiting.reject(unavailable)
    }
  }
}

function settle(entries: Waiting[], { homeless }: CommittedBatch): void {
  if (homeless.length === 0) {
    for (const waiting of entries) waiting.resolve()
    return
  }
  const lost = new Set(homeless)
  let position = 0
  for (const waiting of entries) {
    const end = position + waiting.lines.length
    const stored = !rangeHits(lost, position, end)
    position = end
    if (stored) waiting.resolve()
    else waiting.reject(new LedgerUnavailable('the account was removed'))
  }
}

function rangeHits(positions: Set<number>, from: number, to: number): boolean {
  for (let position = from; position < to; position++) if (positions.has(position)) return true
  return false
}
