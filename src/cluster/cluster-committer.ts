import {
  type BatchCommitter,
  type ChallengeSpend,
  type CommittedBatch,
  isEmpty,
  type WriteBatch,
} from '../capture/write-batch.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { type ClusterLog, ClusterLogAway, type IntakeBatch, patienceMs } from './cluster-log.ts'
import type { Keeping } from './keeping.ts'
import type { Round } from './spool.ts'

/** While so many are under way, what comes waits, and goes together. */
const roundsMax = 2
/** Characters of JSON that go together. One batch may have more. */
const roundCharactersMax = 256 * 1024

/** Of a body with batches. In the database: a change takes a new number. */
export const batchesFormat = 1

/**
 * The row of the intake for a round. Pressed: a database elsewhere gets a tenth of the bytes.
 *
 * @param node that took it in
 */
export const batchOf = ({ id, entries, json }: Round, node: string): IntakeBatch => ({
  ...{ id, node, format: batchesFormat, entries },
  body: Bun.zstdCompressSync(`[${json}]`, { level: 1 }),
})

export const decodeBatches = (body: Uint8Array): WriteBatch[] =>
  JSON.parse(Buffer.from(Bun.zstdDecompressSync(body)).toString()) as WriteBatch[]

interface ClusterCommitterOptions {
  log: ClusterLog
  /** The name of this node. */
  node: string
  clock: Clock
  /** Whether an account is there and not removed, as far as this node knows. */
  knowsAccount: (accountId: string) => boolean
  /** `null`: what the log does not take is refused. */
  keeping?: Keeping | null
}

interface Waiting {
  json: string
  entryCount: number
  spends: ChallengeSpend[]
  homeless: number[]
  /** Has no effect, so that it may be repeated. */
  isProbe: boolean
  sinceMs: number
  resolve: (committed: CommittedBatch) => void
  reject: (error: unknown) => void
}

/**
 * Commits to a cluster's log. Whatever arrives while two rounds are under way shares the next, which is one row of the
 * intake.
 *
 * The leader decides what becomes of a batch. It knows each account that this node knows, unless it has removed it
 * since.
 */
export class ClusterCommitter implements BatchCommitter {
  private waiting: Waiting[] = []
  private readonly rounds = new Set<Promise<void>>()

  constructor(private readonly options: ClusterCommitterOptions) {}

  commit(given: WriteBatch): Promise<CommittedBatch> {
    const { clock, knowsAccount } = this.options
    const lines = given.entries === '' ? [] : given.entries.split('\n')
    const homeless = lines.flatMap((line, at) => (knowsAccount(line.slice(0, line.indexOf('\t'))) ? [] : [at]))
    const kept = homeless.length === 0 ? lines : lines.filter((_, at) => !homeless.includes(at))
    return new Promise((resolve, reject) => {
      this.waiting.push({
        json: JSON.stringify({ ...given, entries: kept.join('\n') }),
        entryCount: kept.length,
        spends: given.spends,
        ...{ homeless, isProbe: isEmpty(given), sinceMs: clock.monotonicMs(), resolve, reject },
      })
      this.startRounds()
    })
  }

  async close(): Promise<void> {
    while (this.rounds.size > 0) await Promise.all(this.rounds)
  }

  private startRounds(): void {
    while (this.waiting.length > 0 && this.rounds.size < roundsMax) {
      const round: Promise<void> = this.store(this.nextRound()).finally(() => {
        this.rounds.delete(round)
        this.startRounds()
      })
      this.rounds.add(round)
    }
  }

  private nextRound(): Waiting[] {
    let characters = 0
    const over = this.waiting.findIndex(({ json }, at) => {
      characters += json.length
      return at > 0 && characters > roundCharactersMax
    })
    return this.waiting.splice(0, over === -1 ? this.waiting.length : over)
  }

  private async store(round: Waiting[]): Promise<void> {
    const { keeping = null, knowsAccount } = this.options
    const spends = round.flatMap((waiting) => waiting.spends).filter(({ accountId }) => knowsAccount(accountId))
    const row: Round = {
      id: newId(),
      entries: round.reduce((sum, { entryCount }) => sum + entryCount, 0),
      spends,
      json: round.map(({ json }) => json).join(','),
    }
    const isProbe = round.every((waiting) => waiting.isProbe)
    try {
      const answers = keeping?.keeps
        ? await this.keep(keeping, row, isProbe)
        : await this.put(row, round[0]?.sinceMs ?? 0)
      const unspent = new Set<ChallengeSpend>(spends.filter((_, at) => answers[at]))
      for (const { spends: asked, homeless, resolve } of round)
        resolve({ homeless, spent: asked.map((spend) => unspent.has(spend)) })
    } catch (error) {
      if (this.giveUp(round, error)) await this.store(round)
    }
  }

  private async put(row: Round, sinceMs: number): Promise<boolean[]> {
    const { log, node, clock, keeping } = this.options
    const waitedMs = clock.monotonicMs() - sinceMs
    const answers = await log.put(batchOf(row, node), row.spends, Math.max(0, patienceMs - waitedMs))
    keeping?.noteSpent(row.spends)
    return answers
  }

  private async keep(keeping: Keeping, row: Round, isProbe: boolean): Promise<boolean[]> {
    if (!isProbe) return keeping.keep(row)
    await keeping.prove()
    return []
  }

  /**
   * Refuses a round that may be stored or not. What waits behind it has waited for as long as it may: it is kept, or refused
   * as well.
   *
   * @returns whether the round is to be kept all the same
   */
  private giveUp(round: Waiting[], error: unknown): boolean {
    const { keeping = null } = this.options
    // Another error is of this round alone: it is too large.
    const isAway = error instanceof ClusterLogAway || error instanceof OperatorError
    const keeps = isAway && keeping?.begin() === true
    if (keeps && round.every(({ isProbe }) => isProbe)) return true
    for (const { reject } of round) reject(error)
    if (isAway && !keeps) for (const { reject } of this.waiting.splice(0)) reject(error)
    return false
  }
}
