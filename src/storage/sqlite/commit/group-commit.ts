import type { BatchCommitter, Beside, ChallengeSpend, CommittedBatch } from '../../../capture/write-batch.ts'
import { LedgerUnavailable } from '../../../ledger/ledger.ts'
import type { CommitNotices } from '../../../ledger/writer.ts'
import type { Clock } from '../../../lib/clock.ts'
import { joinEntries } from '../ledger/ledger-codec.ts'

/** Characters of entries that may be in flight; beyond that, `append` rejects. 2,000 of the largest bodies. */
const waitingCharactersMax = 32 * 1024 * 1024
const waitingSpendsMax = 10_000
/** While this many turns are in flight, hold small ones: posting costs more than the payload. */
const turnsUnderWay = 2
/** Entries handed over before their turn is over, so that both threads work in parallel (docs/decisions/0049). */
const fullTurnEntries = 12
/** Entries that nobody waits for are handed over at this age or number. */
const soonMs = 20
const soonEntriesMax = 256
/** After a failed commit, appends are refused at once for so long before the disk is tried again. */
const retryAfterFailureMs = 500

const unheard: CommitNotices = { onFailure: () => {}, onRecovery: () => {} }

/**
 * Group commit: what one turn of the event loop brings is handed over together, and all turns that arrive while the
 * disk is busy share an fsync. Nothing here waits for the disk.
 */
export class GroupCommit {
  private turn: Turn | null = null
  private waitingCharacters = 0
  private waitingSpends = 0
  private failedAtMs = Number.NEGATIVE_INFINITY
  private isFailing = false
  private readonly underWay = new Set<Promise<void>>()

  constructor(
    private readonly committer: BatchCommitter,
    private readonly clock: Clock,
    private readonly notices: CommitNotices = unheard,
  ) {}

  /** Resolves when all lines are on disk. @throws LedgerUnavailable */
  append(lines: string[]): Promise<void> {
    return this.add(lines, true)
  }

  /** Like `append`, for entries that nobody waits for. */
  appendSoon(lines: string[]): Promise<void> {
    return this.add(lines, false)
  }

  private add(lines: string[], urgent: boolean): Promise<void> {
    let characters = 0
    for (const line of lines) characters += line.length
    if (this.isResting()) return Promise.reject(new LedgerUnavailable('the last commit failed'))
    if (this.waitingCharacters + characters > waitingCharactersMax) {
      return Promise.reject(new LedgerUnavailable('too much waits to be stored'))
    }
    this.waitingCharacters += characters
    const turn = this.currentTurn(urgent)
    turn.characters += characters
    for (const line of lines) turn.lines.push(line)
    return new Promise((resolve, reject) => {
      turn.entries.push({ count: lines.length, resolve, reject })
      if (turn.lines.length >= (turn.urgent ? fullTurnEntries : soonEntriesMax)) this.handOver()
    })
  }

  /** Whether the challenge was unspent. @throws LedgerUnavailable */
  spend(spend: ChallengeSpend): Promise<boolean> {
    if (this.isResting() || this.waitingSpends >= waitingSpendsMax) {
      return Promise.reject(new LedgerUnavailable('challenges cannot be recorded now'))
    }
    this.waitingSpends++
    return new Promise((resolve, reject) => this.currentTurn(true).spends.push({ spend, resolve, reject }))
  }

  /** @throws LedgerUnavailable; the caller then still has them */
  addBeside(beside: Partial<Beside>): Promise<void> {
    if (this.isResting()) return Promise.reject(new LedgerUnavailable('the last commit failed'))
    return new Promise((resolve, reject) => this.currentTurn(true).beside.push({ beside, resolve, reject }))
  }

  /** Waits until everything accepted so far is committed, then closes. */
  async close(): Promise<void> {
    this.handOver()
    while (this.underWay.size > 0) await Promise.all(this.underWay)
    await this.committer.close()
  }

  private isResting(): boolean {
    return this.clock.monotonicMs() - this.failedAtMs < retryAfterFailureMs
  }

  private currentTurn(urgent: boolean): Turn {
    this.turn ??= this.beginTurn(urgent)
    const { turn } = this
    if (urgent && !turn.urgent) {
      turn.urgent = true
      setImmediate(() => this.endTurn(turn))
    }
    return turn
  }

  private beginTurn(urgent: boolean): Turn {
    const turn = new Turn()
    if (!urgent) setTimeout(() => this.endTurn(turn), soonMs)
    return turn
  }

  private endTurn(turn: Turn): void {
    if (this.turn !== turn) return
    turn.over = true
    if (this.underWay.size < turnsUnderWay || turn.lines.length >= fullTurnEntries) this.handOver()
  }

  private handOver(): void {
    const { turn } = this
    this.turn = null
    if (turn === null) return
    const commit: Promise<void> = this.commit(turn).finally(() => {
      this.underWay.delete(commit)
      if (this.turn?.over) this.handOver()
    })
    this.underWay.add(commit)
  }

  private async commit(turn: Turn): Promise<void> {
    const { lines, entries, spends, beside } = turn
    try {
      const committed = await this.committer.commit({
        entries: joinEntries(lines),
        refusals: beside.flatMap(({ beside: { refusals = [] } }) => refusals),
        missing: beside.flatMap(({ beside: { missing = [] } }) => missing),
        looseFiles: beside.flatMap(({ beside: { looseFiles = [] } }) => looseFiles),
        spends: spends.map(({ spend }) => spend),
      })
      settleEntries(entries, committed)
      settleSpends(spends, committed)
      for (const waiting of beside) waiting.resolve()
      this.succeeded()
    } catch (error) {
      this.failed(error)
      const unavailable = new LedgerUnavailable('the commit failed', { cause: error })
      for (const waiting of [...entries, ...spends, ...beside]) waiting.reject(unavailable)
    } finally {
      this.waitingCharacters -= turn.characters
      this.waitingSpends -= spends.length
    }
  }

  private failed(error: unknown): void {
    if (!this.isResting()) this.notices.onFailure(error)
    this.failedAtMs = this.clock.monotonicMs()
    this.isFailing = true
  }

  private succeeded(): void {
    if (!this.isFailing) return
    this.isFailing = false
    this.notices.onRecovery()
  }
}

/** Somebody who waits until something is on disk. */
interface Waiting<Result> {
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

interface WaitingEntries extends Waiting<void> {
  /** The number of entries; a batch of events has several. */
  count: number
}

interface WaitingSpend extends Waiting<boolean> {
  spend: ChallengeSpend
}

interface WaitingBeside extends Waiting<void> {
  beside: Partial<Beside>
}

/** What one turn of the event loop brought. */
class Turn {
  readonly lines: string[] = []
  readonly entries: WaitingEntries[] = []
  readonly spends: WaitingSpend[] = []
  readonly beside: WaitingBeside[] = []
  characters = 0
  urgent = false
  /** Whether the event loop's turn is over, so that it only waits for earlier turns. */
  over = false
}

/**
 * A challenge with an unknown outcome is refused as if it could not be recorded: whether spent or not, the visitor may
 * ask for another.
 */
function settleSpends(spends: WaitingSpend[], { spent }: CommittedBatch): void {
  for (const [index, waiting] of spends.entries()) {
    const wasUnspent = spent[index]
    if (wasUnspent === undefined) waiting.reject(new LedgerUnavailable('whether the challenge was spent is not known'))
    else waiting.resolve(wasUnspent)
  }
}

function settleEntries(entries: WaitingEntries[], { homeless }: CommittedBatch): void {
  let position = 0
  for (const waiting of entries) {
    const from = position
    position += waiting.count
    if (homeless.length > 0 && homeless.some((at) => at >= from && at < position)) {
      waiting.reject(new LedgerUnavailable('the account was removed'))
    } else waiting.resolve()
  }
}
