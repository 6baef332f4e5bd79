import type { KeptOrder, OrderBegun } from '../certificate-store.ts'
import type { KeptName } from '../kept-name.ts'
import type { Authorities, AuthorityPause } from './authorities.ts'
import { isOrderDue } from './due.ts'
import { FairQueue, type Queued } from './fair-queue.ts'
import type { KeptNames } from './kept-names.ts'
import { active, postponed, refused, tried } from './name-steps.ts'
import { orderFreeAt, ordersKeptMs } from './order-budget.ts'
import type { OrderFailure } from './order-failure.ts'
import { isAnnounced, issuedCertificate, type OrderEnd, runOrder } from './order-run.ts'
import type { KeeperParts } from './parts.ts'
import { authorityName, type OrderTarget, targetOf } from './targets.ts'

/** One order in 2 s, 4 at once; one account's at most 3 of them. */
const pace = { atOnceMax: 4, atOnceOfOneMax: 3, spacingMs: 2000 }

interface OrderingParts {
  keeper: KeeperParts
  authorities: Authorities
  names: KeptNames
  run: (work: Promise<void>) => void
  stopping: AbortSignal
}

/** Orders certificates for names without an obstacle: in fair turns, within budgets, one at a time for each name. */
export class Ordering {
  private readonly queue = new FairQueue<Queued>(pace)
  private recent: KeptOrder[] = []
  /** The number of names that hit a limit in this turn. */
  private limited = 0

  constructor(private readonly parts: OrderingParts) {}

  has(host: string): boolean {
    return this.queue.has(host)
  }

  /** Queues renewals first, then first orders, then names that failed before. */
  add({ host, certificate, failures }: KeptName): void {
    const accountId = this.parts.names.ownerOf(host)
    this.queue.add({ host, accountId, priority: failures > 0 ? 2 : certificate === null ? 1 : 0 })
  }

  drop(host: string): void {
    this.queue.drop(host)
  }

  targetOf(name: KeptName): OrderTarget {
    const { authorities, keeper } = this.parts
    const isPaused = (directory: string) => authorities.pauseOf(directory) !== null
    return targetOf(name, keeper.directories, { isPaused, now: keeper.clock.now() })
  }

  /** Starts the next order, if one may start. */
  async begin(): Promise<void> {
    if (this.queue.isEmpty) return
    const { clock, orders } = this.parts.keeper
    this.recent = await orders.since(clock.now() - ordersKeptMs)
    this.limited = 0
    const item = this.queue.take(clock.monotonicMs(), ({ host }) => this.mayBegin(host))
    if (item === null) return
    this.parts.run(this.order(item.host).finally(() => this.queue.done(item.host)))
  }

  private mayBegin(host: string): boolean {
    const { authorities, names, keeper } = this.parts
    const now = keeper.clock.now()
    const name = names.of(host)
    if (name === null || !isOrderDue(name, now)) return false
    const target = this.targetOf(name)
    const asking = { directory: target.directory, accountId: names.ownerOf(host) }
    const pause = authorities.pauseOf(target.directory) ?? authorities.demandedOf(asking)
    if (pause !== null) return this.postpone(name, pause, { isNews: false })
    const freeAt = orderFreeAt(this.wanted(name, target), this.budgetView(now))
    if (freeAt <= now) return true
    // Spread them, so that they do not all check again for the single place that becomes free.
    const until = freeAt + this.limited++ * pace.spacingMs
    return this.postpone(name, { reason: limitReason(target), until }, { isNews: true })
  }

  private postpone(name: KeptName, wait: AuthorityPause, { isNews }: { isNews: boolean }): false {
    const { names, keeper, run } = this.parts
    run(names.change(postponed(name, wait, keeper.clock.now()), { isNews }))
    return false
  }

  private wanted({ host, certificate }: KeptName, { directory }: OrderTarget): Omit<OrderBegun, 'beganAt'> {
    return {
      host,
      accountId: this.parts.names.ownerOf(host),
      registeredDomain: this.parts.keeper.registeredDomain(host),
      directory,
      isAnnounced: isAnnounced(certificate, directory),
    }
  }

  private budgetView(now: number) {
    const { names, keeper } = this.parts
    const owned = names.all
      .filter(({ state, removedAt }) => state !== 'off' && removedAt === null)
      .map(({ host }) => ({ accountId: names.ownerOf(host), registeredDomain: keeper.registeredDomain(host) }))
    return { orders: this.recent, names: owned, staging: keeper.directories.staging, now }
  }

  private async order(host: string): Promise<void> {
    const { authorities, names, keeper, stopping } = this.parts
    const name = names.of(host)
    if (name === null) return
    const target = this.targetOf(name)
    const clockFault = await authorities.clockFault(target.directory)
    if (clockFault !== null) {
      const pause = authorities.pause(target.directory, clockFault)
      return names.change(postponed(name, pause, keeper.clock.now()), { isNews: false })
    }
    const id = await keeper.orders.begin({ ...this.wanted(name, target), beganAt: keeper.clock.now() })
    try {
      const end = await runOrder(name, target, { parts: keeper, accounts: authorities.accounts, stopping })
      await this.conclude(names.of(host) ?? name, target, { id, end })
    } catch (error) {
      if (!stopping.aborted) throw error
      await keeper.orders.end(id, 'unanswered')
    }
  }

  private async conclude(
    name: KeptName,
    target: OrderTarget,
    { id, end }: { id: number; end: OrderEnd },
  ): Promise<void> {
    const { authorities, names, keeper } = this.parts
    const now = keeper.clock.now()
    if ('failure' in end) return this.fail(name, target, { id, failure: end.failure })
    authorities.hasAnswered(target.directory)
    if (target.isTrial) {
      await keeper.orders.end(id, 'issued')
      return names.change(tried(name, now), { isNews: false })
    }
    const { host } = name
    const certificate = issuedCertificate(end.pair.certificate, target.directory, now)
    const next = active(name, now)
    await keeper.store.keepCertificate({ name: next, certificate, pair: end.pair, orderId: id })
    names.take({ ...next, certificate }, { isNews: true })
    keeper.onIssued({ host, isRenewal: name.certificate !== null })
  }

  private async fail(
    name: KeptName,
    target: OrderTarget,
    { id, failure }: { id: number; failure: OrderFailure },
  ): Promise<void> {
    const { authorities, names, keeper } = this.parts
    await keeper.orders.end(id, failure.outcome)
    const { directory } = target
    const { reason, retryAfterMs: lengthMs } = failure
    if (failure.isOfAuthority) authorities.pause(directory, reason)
    else if (failure.outcome === 'rateLimited' && lengthMs !== null)
      authorities.heed({ directory, accountId: names.ownerOf(name.host) }, { reason, lengthMs })
    await names.change(refused(name, failure, keeper.clock.now()), { isNews: !failure.isOfAuthority })
  }
}

const limitReason = ({ directory }: OrderTarget): string =>
  `More orders now would come near the limits of ${authorityName(directory)}: the name is ordered when its turn comes.`
