import { renewalId } from '../acme/renewal-id.ts'
import { certificateFacts, checkedPair, nearestValid, type PairText } from '../certificate-pair.ts'
import type { KeptCertificate, KeptName, KeptOrder, OrderBegun } from '../certificate-store.ts'
import { type Authorities, type AuthorityAccounts, type AuthorityPause, accountLoss } from './authorities.ts'
import { FairQueue, type Queued } from './fair-queue.ts'
import type { KeptNames } from './kept-names.ts'
import { active, isOrderDue, postponed, refused, tried } from './name-steps.ts'
import { orderFreeAt, ordersKeptMs } from './order-budget.ts'
import { type OrderFailure, orderFailure } from './order-failure.ts'
import type { KeeperParts } from './parts.ts'
import { plainRenewal } from './renewal-windows.ts'
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

/** Longer than all of the client's own limits. */
const orderMsMax = 15 * 60_000

type OrderEnd = { pair: PairText } | { failure: OrderFailure }

interface OrderContext {
  parts: Pick<KeeperParts, 'store' | 'authority' | 'answers' | 'profile' | 'clock' | 'directories'>
  accounts: AuthorityAccounts
  /** Aborts the order. */
  stopping: AbortSignal
}

/** Orders a certificate for a name and checks that it is usable. Throws only when aborted. */
async function runOrder(name: KeptName, target: OrderTarget, context: OrderContext): Promise<OrderEnd> {
  const { parts, stopping } = context
  const { directory } = target
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(orderMsMax)])
  try {
    const pair = await ordered(name, target, context, signal)
    // The machine's clock may be slightly behind the authority's.
    const now = parts.clock.now()
    const verdict = checkedPair(name.host, pair, Math.max(now, nearestValid(pair, now)))
    return 'fault' in verdict ? { failure: unusable(verdict.fault, target) } : { pair }
  } catch (error) {
    stopping.throwIfAborted()
    const loss = accountLoss(error)
    if (loss !== null) await context.accounts.lost(directory, loss)
    return { failure: orderFailure(error, target, parts.directories.staging !== null) }
  }
}

async function ordered(
  name: KeptName,
  { directory, isTrial }: OrderTarget,
  { parts, accounts }: OrderContext,
  signal: AbortSignal,
): Promise<PairText> {
  const { host } = name
  const account = await accounts.at(directory, signal)
  const replaces = isTrial ? null : await replacedBy(name, directory, parts)
  return account.order({ host, profile: isTrial ? '' : parts.profile, replaces, answers: parts.answers }, signal)
}

/** The certificate that this directory issued and the new one replaces (RFC 9773 section 5); `null`: none. */
async function replacedBy(
  { host, certificate }: KeptName,
  directory: string,
  { store, authority }: Pick<KeeperParts, 'store' | 'authority'>,
): Promise<string | null> {
  if (!isAnnounced(certificate, directory) || !(await authority(directory).offer()).tellsRenewal) return null
  const before = await store.read(host)
  return before === null || 'fault' in before ? null : renewalId(before.certificate)
}

/** Whether an order names the certificate that it replaces and so is exempt from the authority's limits. */
const isAnnounced = (certificate: KeptName['certificate'], directory: string): boolean =>
  certificate !== null && certificate.directory === directory && certificate.renewal.window !== null

const unusable = (fault: string, { directory, isTrial }: OrderTarget): OrderFailure => ({
  state: 'failing',
  reason: `The certificate that came from ${authorityName(directory)} cannot be used: ${fault}.`,
  retryAfterMs: null,
  isTrial,
  outcome: 'unusable',
  isOfAuthority: false,
})

/** The stored form of a new certificate. Its renewal follows from the lifetime until the authority is asked for a window, which is due at once. */
function issuedCertificate(chain: string, directory: string, now: number): KeptCertificate {
  const facts = certificateFacts(chain)
  return { ...facts, ...plainRenewal(facts, now), renewal: { window: null, askAt: now }, directory }
}
