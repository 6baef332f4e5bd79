import type { KeptName } from '../kept-name.ts'
import { isOrderDue, isWanted } from './due.ts'
import { FairQueue, type Queued } from './fair-queue.ts'
import type { KeptNames } from './kept-names.ts'
import { lookDelayMs, lookedAt } from './name-steps.ts'
import type { KeeperParts, LookQuestion } from './parts.ts'

/** The minimum time between two checks of a name. */
const betweenLooksMs = 5000

interface LooksParts extends Pick<KeeperParts, 'look' | 'clock'> {
  names: KeptNames
  question: (name: KeptName) => Promise<LookQuestion>
  /** Called when a due order has no obstacle. */
  onReady: (name: KeptName) => void
  /** Registers work in progress. */
  run: (work: Promise<void>) => void
}

/** Checks each name from outside before an order, and watches refused names for a change. */
export class Looks {
  private readonly queue = new FairQueue<Queued>({ atOnceMax: 16, atOnceOfOneMax: 8, spacingMs: 0 })
  private readonly lookedAtMs = new Map<string, number>()

  constructor(private readonly parts: LooksParts) {}

  has(host: string): boolean {
    return this.queue.has(host)
  }

  /** Whether the name is due for a check. */
  isDue(name: KeptName): boolean {
    const { clock } = this.parts
    const last = this.lookedAtMs.get(name.host)
    const sinceMs = last === undefined ? null : clock.monotonicMs() - last
    // If the result cannot be stored, as on a full disk, the name stays due.
    if (isOrderDue(name, clock.now())) return sinceMs === null || sinceMs >= betweenLooksMs
    if (name.state !== 'failing' || !isWanted(name)) return false
    if (sinceMs === null) this.lookedAtMs.set(name.host, clock.monotonicMs())
    return sinceMs !== null && sinceMs >= lookDelayMs(name.looks)
  }

  add(name: KeptName): void {
    const accountId = this.parts.names.ownerOf(name.host)
    this.queue.add({ host: name.host, accountId, priority: name.looks === 0 ? 0 : 1 })
  }

  /** Starts as many checks as allowed at once. */
  begin(): void {
    const { clock, run } = this.parts
    for (let item = this.queue.take(clock.monotonicMs()); item !== null; item = this.queue.take(clock.monotonicMs())) {
      const { host } = item
      run(this.look(host).finally(() => this.done(host)))
    }
  }

  forget(host: string): void {
    this.queue.drop(host)
    this.lookedAtMs.delete(host)
  }

  private done(host: string): void {
    this.queue.done(host)
    this.begin()
  }

  private async look(host: string): Promise<void> {
    const { names, clock, look, question, onReady } = this.parts
    const before = names.of(host)
    if (before === null || !isWanted(before)) return
    this.lookedAtMs.set(host, clock.monotonicMs())
    const seen = await look(host, await question(before))
    const name = names.of(host)
    if (name === null || !isWanted(name)) return
    const next = lookedAt(name, seen, clock.now())
    await names.change(next, { isNews: seen.hindrance !== null })
    if (seen.hindrance === null && isOrderDue(next, clock.now())) onReady(next)
  }
}
