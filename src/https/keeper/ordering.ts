import type { KeptName } from '../kept-name.ts'
import type { KeptOrder, OrderBegun } from '../order-log.ts'
import { AuthorityAccounts } from './authority-accounts.ts'
import { AuthorityClock, clockReason } from './authority-clock.ts'
import { AuthorityPauses, type Pause } from './authority-pauses.ts'
import { isOrderDue } from './due.ts'
import { FairQueue, type Queued } from './fair-queue.ts'
import { issuedCertificate } from './issued-certificate.ts'
import type { KeptNames } from './kept-names.ts'
import { active, postponed, refused, tried } from './name-steps.ts'
import { orderFreeAt, ordersKeptMs } from './order-budget.ts'
import type { OrderFailure } from './order-failure.ts'
import { isAnnounced, type OrderEnd, runOrder } from './order-run.ts'
import type { KeeperParts } from './parts.ts'
import { authorityName, type Target, targetOf } from './targets.ts'

/** Contract section 10: one order in 2 s, 4 at once; one account's at most 3 of them. */
const pace = { atOnceMax: 4, atOnceOfOneMax: 3, spacingMs: 2000 }

interface OrderingParts {
  keeper: KeeperParts
  names: KeptNames
  run: (work: Promise<void>) => void
  stopping: AbortSignal
}

/** Orders certificates for names that nothing hinders: in fair turns, within budgets, one at a time for each name. */
export class Ordering {
  private readonly queue = new FairQueue<Queued>(pace)
  private readonly pauses = new AuthorityPauses()
  private readonly accounts: AuthorityAccounts
  private readonly authorityClock: AuthorityClock
  private recent: KeptOrder[] = []
  /** Names that have met a limit in this turn. */
  private limited = 0

  constructor(private readonly parts: OrderingParts) {
    const { clock, authorityTime } = parts.keeper
    this.accounts = new AuthorityAccounts(parts.keeper)
    this.authorityClock = new AuthorityClock(clock, authorityTime)
  }

  has(host: string): boolean {
    return this.queue.has(host)
  }

  /** Renewals before first orders, and what has failed before after both. */
  add({ host, certificate, failures }: KeptName): void {
    const accountId = this.parts.names.ownerOf(host)
    this.queue.add({ host, accountId, priority: failures > 0 ? 2 : certificate === null ? 1 : 0 })
  }

  drop(host: string): void {
    this.queue.drop(host)
  }

  /** Where the next order of a name goes. */
  targetOf(name: KeptName): Target {
    const { clock, directories } = this.parts.keeper
    const isPaused = (directory: string) => this.pauses.of(directory, clock.monotonicMs()) !== null
    return targetOf(name, directories, { isPaused, now: clock.now() })
  }

  /** Begins the order whose turn it is, if it is anybody's. */
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
    const { names, keeper } = this.parts
    const [now, nowMs] = [keeper.clock.now(), keeper.clock.monotonicMs()]
    const name = names.of(host)
    if (name === null || !isOrderDue(name, now)) return false
    const target = this.targetOf(name)
    const pause = this.pauses.of(target.directory, nowMs)
    if (pause !== null) return this.postpone(name, pause, { isNews: false })
    const freeAt = orderFreeAt(this.wanted(name, target), this.budgetView(now))
    if (freeAt <= now) return true
    // One after the other, so that they do not all look at the world again for the one place that is free then.
    const until = freeAt + this.limited++ * pace.spacingMs
    return this.postpone(name, { reason: limitReason(target), until }, { isNews: true })
  }

  private postpone(name: KeptName, wait: Pause, { isNews }: { isNews: boolean }): false {
    const { names, keeper, run } = this.parts
    run(names.change(postponed(name, wait, keeper.clock.now()), { isNews }))
    return false
  }

  private wanted({ host, certificate }: KeptName, { directory }: Target): Omit<OrderBegun, 'beganAt'> {
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
    const { names, keeper, stopping } = this.parts
    const name = names.of(host)
    if (name === null) return
    const target = this.targetOf(name)
    const clockOff = await this.clockFault(target, stopping)
    if (clockOff !== null) {
      const pause = this.pause(target, clockOff)
      return names.change(postponed(name, pause, keeper.clock.now()), { isNews: false })
    }
    const id = await keeper.orders.begin({ ...this.wanted(name, target), beganAt: keeper.clock.now() })
    try {
      const end = await runOrder(name, target, { parts: keeper, accounts: this.accounts, stopping })
      await this.conclude(names.of(host) ?? name, target, { id, end })
    } catch (error) {
      if (!stopping.aborted) throw error
      await keeper.orders.end(id, 'unanswered')
    }
  }

  /** An authority that cannot be asked for the time is met again by the order itself, which says why. */
  private async clockFault({ directory }: Target, stopping: AbortSignal): Promise<string | null> {
    const offMs = await this.authorityClock.offMs(directory, stopping).catch(() => 0)
    return offMs === 0 ? null : clockReason(offMs, authorityName(directory))
  }

  private async conclude(name: KeptName, target: Target, { id, end }: { id: number; end: OrderEnd }): Promise<void> {
    const { names, keeper } = this.parts
    const now = keeper.clock.now()
    if ('failure' in end) return this.fail(name, target, { id, failure: end.failure })
    if (this.pauses.end(target.directory)) {
      keeper.log.info(`The certificate authority ${authorityName(target.directory)} issues again.`)
    }
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
    target: Target,
    { id, failure }: { id: number; failure: OrderFailure },
  ): Promise<void> {
    const { names, keeper } = this.parts
    await keeper.orders.end(id, failure.outcome)
    if (failure.isOfAuthority) this.pause(target, failure.reason)
    await names.change(refused(name, failure, keeper.clock.now()), { isNews: !failure.isOfAuthority })
  }

  /** Told once, and not for each name that waits for it. */
  private pause({ directory }: Target, reason: string): Pause {
    const { clock, log } = this.parts.keeper
    const pause = this.pauses.begin(directory, reason, { now: clock.now(), nowMs: clock.monotonicMs() })
    if (pause.isNew)
      log.warn(`${reason} Names wait for their certificates.`, { nextTryAt: new Date(pause.until).toISOString() })
    return pause
  }
}

const limitReason = ({ directory }: Target): string =>
  `More orders now would come near the limits of ${authorityName(directory)}: the name is ordered when its turn comes.`
