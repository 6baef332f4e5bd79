import type { BatchCommitter, ChallengeSpend, CommittedBatch, WriteBatch } from '../capture/write-batch.ts'
import { WriterGone } from '../ledger/writer.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { type ClusterLog, ClusterLogAway, patienceMs } from './cluster-log.ts'

/** While so many are under way, what comes waits, and goes together. */
const roundsMax = 2
/** Characters of JSON that go together. One batch may have more. */
const roundCharactersMax = 256 * 1024

/** Of a body with batches. In the database: a change takes a new number. */
export const batchesFormat = 1

/** Pressed: a database elsewhere gets a tenth of the bytes. */
const encodeBatches = (jsons: readonly string[]): Uint8Array =>
  Bun.zstdCompressSync(`[${jsons.join(',')}]`, { level: 1 })

export const decodeBatches = (body: Uint8Array): WriteBatch[] =>
  JSON.parse(Buffer.from(Bun.zstdDecompressSync(body)).toString()) as WriteBatch[]

interface ClusterCommitterOptions {
  log: ClusterLog
  /** The name of this node. */
  node: string
  clock: Clock
  /** Whether an account is there and not removed, as far as this node knows. */
  knowsAccount: (accountId: string) => boolean
}

interface Waiting {
  json: string
  entryCount: number
  spends: ChallengeSpend[]
  homeless: number[]
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
        ...{ homeless, sinceMs: clock.monotonicMs(), resolve, reject },
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
    const { log, node, clock, knowsAccount } = this.options
    const waitedMs = clock.monotonicMs() - (round[0]?.sinceMs ?? 0)
    const spends = round.flatMap((waiting) => waiting.spends).filter(({ accountId }) => knowsAccount(accountId))
    const entries = round.reduce((sum, { entryCount }) => sum + entryCount, 0)
    try {
      const row = {
        id: newId(),
        node,
        format: batchesFormat,
        entries,
        body: encodeBatches(round.map(({ json }) => json)),
      }
      const answers = await log.put(row, spends, Math.max(0, patienceMs - waitedMs))
      const unspent = new Set<ChallengeSpend>(spends.filter((_, at) => answers[at]))
      for (const { spends: asked, homeless, resolve } of round)
        resolve({ homeless, spent: asked.map((spend) => unspent.has(spend)) })
    } catch (error) {
      if (error instanceof ClusterLogAway) this.giveUp(round, error)
      else for (const { reject } of round) reject(error)
    }
  }

  /** What waits would wait for too long: it has waited behind a round that had the whole patience. */
  private giveUp(round: Waiting[], cause: ClusterLogAway): void {
    for (const { reject } of round) reject(new WriterGone(cause.message, { cause }))
    for (const { reject } of this.waiting.splice(0)) reject(cause)
  }
}
