import type { ChallengeSpend } from '../capture/write-batch.ts'
import type { Clock } from '../lib/clock.ts'
import { failureNotice } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
import { type ClusterLog, ClusterLogAway, type IntakeBatch } from './cluster-log.ts'
import type { KeptPiece, NodeSpool, Round } from './spool.ts'

const retryMs = 200
/** Challenges that are remembered as spent. The oldest are forgotten first. */
const spentMax = 100_000

export interface KeepingOptions {
  log: Pick<ClusterLog, 'putKept' | 'forgetKept'>
  spool: NodeSpool
  /** `false`: only what is there already leaves the spool. */
  keepsNew: boolean
  /** Makes the row of the intake. */
  batchOf: (round: Round) => IntakeBatch
  clock: Clock
  notices: Pick<Log, 'info' | 'warn' | 'error'>
}

/**
 * Keeps rounds in the spool from the first that the log did not take until it takes the oldest of them. What is kept leaves
 * the spool in order, beside what is captured by then.
 */
export class Keeping {
  private isAway: boolean
  private isOver = false
  /** Whether something was kept since the spool was looked at. */
  private hasNews = false
  /** End a wait: for something to do, and of any kind. */
  private wake = (): void => {}
  private end = (): void => {}
  private readonly spent = new Map<string, number>()
  private readonly running: Promise<void>

  private constructor(
    private readonly options: KeepingOptions,
    spends: readonly ChallengeSpend[],
  ) {
    this.isAway = this.hasKept && options.keepsNew
    this.noteSpent(spends)
    this.running = this.run()
  }

  static async open(options: KeepingOptions): Promise<Keeping> {
    return new Keeping(options, await options.spool.spends(options.clock.now()))
  }

  /** Whether rounds are kept now. */
  get keeps(): boolean {
    return this.isAway
  }

  /** The log did not take a round. @returns whether the next ones are kept */
  begin(): boolean {
    const { keepsNew, notices } = this.options
    if (!keepsNew || this.isAway) return keepsNew
    this.isAway = true
    notices.warn('The database of the cluster does not answer: this node keeps what it captures on its own disk.')
    return true
  }

  /**
   * Keeps a round.
   *
   * @returns of each of its challenges, whether this node knew it as unspent
   * @throws as `NodeSpool.keep`
   */
  async keep(round: Round): Promise<boolean[]> {
    const unspent = new Map(round.spends.filter((spend) => !this.spent.has(keyOf(spend))).map((of) => [keyOf(of), of]))
    // At once: another round may ask meanwhile.
    this.noteSpent([...unspent.values()])
    try {
      await this.options.spool.keep(round)
    } catch (error) {
      for (const key of unspent.keys()) this.spent.delete(key)
      this.askLogAgain()
      throw error
    }
    this.hasNews = true
    this.wake()
    return round.spends.map((spend) => unspent.delete(keyOf(spend)))
  }

  /** @throws when nothing can be kept */
  async prove(): Promise<void> {
    try {
      await this.options.spool.prove()
    } catch (error) {
      this.askLogAgain()
      throw error
    }
  }

  /** Challenges that the log or the spool has as spent. */
  noteSpent(spends: readonly ChallengeSpend[]): void {
    for (const spend of spends) {
      this.spent.delete(keyOf(spend))
      this.spent.set(keyOf(spend), spend.expiresAt)
    }
    const now = this.options.clock.now()
    for (const [key, expiresAt] of this.spent) {
      if (expiresAt > now && this.spent.size <= spentMax) return
      this.spent.delete(key)
    }
  }

  /** What is kept stays. Nothing may be kept after it. */
  async stop(): Promise<void> {
    this.isOver = true
    this.end()
    await this.running
    await this.options.spool.close()
  }

  /** With nothing to put into the log, as on a full disk, nothing else would show that it is back. */
  private askLogAgain(): void {
    if (!this.hasKept) this.isAway = false
  }

  private get hasKept(): boolean {
    return this.options.spool.bytes > 0
  }

  private async run(): Promise<void> {
    const { clock, notices } = this.options
    const message = 'What this node keeps could not be put into the cluster. That is tried again.'
    const onFailure = failureNotice({ message, log: notices, clock })
    while (!this.isOver) {
      try {
        if (await this.drainOne()) continue
        await this.woken(null)
      } catch (error) {
        // That was said when it began.
        if (!(error instanceof ClusterLogAway)) onFailure(error)
        await this.woken(retryMs)
      }
    }
  }

  /** Puts what comes first into the log. @returns `false`: nothing is kept */
  private async drainOne(): Promise<boolean> {
    const { spool, log, batchOf, notices } = this.options
    this.hasNews = false
    const piece = await spool.next()
    if (piece === null) return false
    const { file, from, to, rounds } = piece
    if (rounds.length > 0) {
      const spends = rounds.flatMap((round) => round.spends)
      const at = await log.putKept(batchOf(joined(piece)), spends, { file, from, to })
      spool.moveTo({ file, at })
      this.isAway = false
    } else if (await spool.letGo(file)) {
      // Without it, the log forgets the file later.
      await log.forgetKept(file).catch(() => {})
      if (!this.hasKept) notices.info('The cluster has all that this node kept.')
    }
    return true
  }

  private async woken(ms: number | null): Promise<void> {
    if (this.isOver || (ms === null && this.hasNews)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    if (ms === null) this.wake = resolve
    this.end = resolve
    const timer = ms === null ? undefined : setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }
}

const joined = ({ rounds }: KeptPiece): Round => ({
  id: rounds[0]?.id ?? '',
  entries: rounds.reduce((sum, { entries }) => sum + entries, 0),
  spends: [],
  json: rounds.map(({ json }) => json).join(','),
})

const keyOf = ({ accountId, challenge }: ChallengeSpend): string => `${accountId} ${challenge}`
