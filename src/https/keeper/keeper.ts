import { failureNotice } from '../../lib/interval.ts'
import type { KeptName } from '../certificate-store.ts'
import { Authorities } from './authorities.ts'
import { FairQueue, type Queued } from './fair-queue.ts'
import { KeptNames, StateNotices } from './kept-names.ts'
import { isOrderDue, isWanted, lookDelayMs, lookedAt } from './name-steps.ts'
import { ordersKeptMs } from './order-budget.ts'
import { Ordering } from './ordering.ts'
import type { KeeperParts, LookQuestion } from './parts.ts'
import { RenewalWindows } from './renewal-windows.ts'

/** How long the certificate of a disconnected name is kept. */
const removedKeptMs = 7 * 86_400_000
const cleaningMs = 3_600_000
/** Changes within this time share a log line; longer after many changes. */
const noticesMs = 5000
const manyNoticesMs = 60_000
/** Limits how long aborted work may take to end when the service stops. */
const stopMsMax = 3000

/**
 * Keeps a certificate for every public name (docs/https.md): checks from outside, orders and renews. Its state is in the
 * store, so that a restart continues. Call `turn` every second.
 */
export class Keeper {
  private readonly notices: StateNotices
  private readonly names: KeptNames
  private readonly authorities: Authorities
  private readonly ordering: Ordering
  private readonly looks: Looks
  private readonly windows: RenewalWindows
  private readonly underWay = new Set<Promise<void>>()
  private readonly stopping = new AbortController()
  private readonly failed: (error: unknown) => void
  private cleanedAtMs = Number.NEGATIVE_INFINITY
  private tellAtMs = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: KeeperParts) {
    const run = (work: Promise<void>) => this.run(work)
    const { signal } = this.stopping
    const { log, clock } = parts
    this.failed = failureNotice({ message: 'Work on certificates failed and will be retried.', log, clock })
    this.notices = new StateNotices({ log, clock })
    this.names = new KeptNames(parts, this.notices)
    this.authorities = new Authorities({ keeper: parts, run, stopping: signal })
    const { names, authorities } = this
    this.ordering = new Ordering({ keeper: parts, authorities, names, run, stopping: signal })
    this.windows = new RenewalWindows({ ...parts, names, run, stopping: signal })
    this.looks = new Looks({
      ...parts,
      names,
      run,
      onReady: (name) => this.ordering.add(name),
      question: async (name) => {
        const { directory } = this.ordering.targetOf(name)
        return { directory, accountUrl: (await parts.store.account(directory))?.url ?? null }
      },
    })
  }

  /** Starts all due work without waiting for it. */
  async turn(): Promise<void> {
    if (this.stopping.signal.aborted) return
    await this.names.refresh()
    for (const name of this.names.all) {
      if (!isWanted(name)) this.forget(name.host)
      else if (this.ordering.has(name.host) || this.looks.has(name.host)) continue
      else if (this.looks.isDue(name)) this.looks.add(name)
    }
    if (this.names.all.some(isWanted)) this.authorities.openAccount()
    this.looks.begin()
    await this.ordering.begin()
    this.windows.begin()
    await this.clean()
    this.tell()
  }

  /** Resolves when no work is in progress. For tests. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay)
  }

  /** Aborts all work in progress. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service stops'))
    await Promise.race([this.settled(), Bun.sleep(stopMsMax)])
    this.notices.flush()
  }

  private forget(host: string): void {
    this.ordering.drop(host)
    this.looks.forget(host)
  }

  private run(work: Promise<void>): void {
    const settled = work
      .catch((error) => {
        if (!this.stopping.signal.aborted) this.failed(error)
      })
      .finally(() => this.underWay.delete(settled))
    this.underWay.add(settled)
  }

  private async clean(): Promise<void> {
    const { clock, store, orders } = this.parts
    if (clock.monotonicMs() - this.cleanedAtMs < cleaningMs) return
    this.cleanedAtMs = clock.monotonicMs()
    const now = clock.now()
    await orders.tidy(now - ordersKeptMs, now)
    for (const host of await store.eraseRemoved(now - removedKeptMs)) this.notices.forget(host)
  }

  private tell(): void {
    const { clock } = this.parts
    if (clock.monotonicMs() < this.tellAtMs) return
    this.tellAtMs = clock.monotonicMs() + (this.notices.flush() ? manyNoticesMs : noticesMs)
  }
}

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
class Looks {
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
