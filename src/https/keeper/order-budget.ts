import { knownDirectories } from '../acme/authority.ts'
import type { KeptOrder, OrderBegun } from '../certificate-store.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

/** Orders are remembered for the longest window and a day. */
export const ordersKeptMs = weekMs + 24 * hourMs

interface Limit {
  windowMs: number
  max: number
}

interface SharedLimit extends Limit {
  /** Reserved for accounts that have no name yet. */
  forNewcomers: number
}

/**
 * Slightly below the limits of Let's Encrypt, which are the tightest: 300 orders per account in 3 hours, 50 certificates per
 * registered domain and 5 per name in 7 days, 5 failed validations per name in an hour.
 */
export const orderLimits = {
  ofBox: { windowMs: 3 * hourMs, max: 250, forNewcomers: 50 },
  ofRegisteredDomain: { windowMs: weekMs, max: 45, forNewcomers: 0 },
  ofName: { windowMs: weekMs, max: 4 },
  failuresOfName: { windowMs: hourMs, max: 4 },
} as const satisfies Record<string, Limit | SharedLimit>

/** An order before its start. */
export type Wanted = Omit<OrderBegun, 'beganAt'>

export interface BudgetView {
  /** All orders within the longest window. */
  orders: readonly KeptOrder[]
  /** All names that may need certificates, with account and registered domain. */
  names: readonly { accountId: string; registeredDomain: string }[]
  /** The staging directory, whose limits are high enough to ignore; `null`: none. */
  staging: string | null
  now: number
}

/**
 * When the order may start; `now` or earlier: at once. The rest of a shared limit is reserved for accounts that have not used
 * their share, so that no account can use up another's.
 */
export function orderFreeAt(wanted: Wanted, view: BudgetView): number {
  const { now } = view
  const ofDirectory = view.orders.filter(({ directory }) => directory === wanted.directory)
  const ofName = ofDirectory.filter(({ host }) => host === wanted.host)
  const refused = ofName.filter(({ outcome }) => outcome === 'refused' || outcome === null)
  const free = [freeAt(refused, orderLimits.failuresOfName, now)]
  // Announced renewals do not count towards the authority's limits (RFC 9773 section 5).
  if (wanted.isAnnounced) return Math.max(...free)
  const counted = ofDirectory.filter(({ isAnnounced }) => !isAnnounced)
  free.push(sharedFreeAt(wanted, { orders: counted, names: view.names, limit: orderLimits.ofBox, now }))
  if (wanted.directory === view.staging) return Math.max(...free)
  free.push(freeAt(ofName.filter(isCertificate), orderLimits.ofName, now))
  if (wanted.directory === knownDirectories.letsencrypt.url) {
    const isOfDomain = ({ registeredDomain }: { registeredDomain: string }) =>
      registeredDomain === wanted.registeredDomain
    const orders = counted.filter(isOfDomain).filter(isCertificate)
    const names = view.names.filter(isOfDomain)
    free.push(sharedFreeAt(wanted, { orders, names, limit: orderLimits.ofRegisteredDomain, now }))
  }
  return Math.max(...free)
}

const isCertificate = ({ outcome }: KeptOrder): boolean => outcome === 'issued' || outcome === 'unusable'

/** When one more order fits: as soon as the oldest one that fills the limit leaves the window. */
function freeAt(orders: readonly KeptOrder[], { windowMs, max }: Limit, now: number): number {
  const ends = endsWithin(orders, windowMs, now)
  return ends.length < max ? now : (ends[ends.length - max] ?? now)
}

interface Share {
  orders: readonly KeptOrder[]
  names: BudgetView['names']
  limit: SharedLimit
  now: number
}

function sharedFreeAt({ accountId }: Wanted, share: Share): number {
  const { orders, limit, now } = share
  const instants = [now, ...endsWithin(orders, limit.windowMs, now)]
  const isFree = (instant: number) => hasShare(accountId, { ...share, now: instant })
  return instants.find(isFree) ?? now + limit.windowMs
}

/** Whether one more order of the account fits beside the shares of others. */
function hasShare(accountId: string, { orders, names, limit, now }: Share): boolean {
  const used = countBy(orders.filter(({ beganAt }) => beganAt > now - limit.windowMs))
  const usedByAll = [...used.values()].reduce((sum, count) => sum + count, 0)
  if (usedByAll >= limit.max) return false
  const owners = countBy(names)
  const sharers = owners.size + (limit.forNewcomers > 0 ? 1 : 0)
  const part = Math.max(1, Math.floor(limit.max / Math.max(1, sharers)))
  if ((used.get(accountId) ?? 0) < part) return true
  let kept = Math.min(part, limit.forNewcomers)
  for (const [other, count] of owners) {
    if (other !== accountId) kept += Math.max(0, Math.min(part, 2 * count) - (used.get(other) ?? 0))
  }
  return usedByAll + kept < limit.max
}

function countBy(items: readonly { accountId: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { accountId } of items) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
  return counts
}

/** When the orders in the window leave it, soonest first. */
const endsWithin = (orders: readonly KeptOrder[], windowMs: number, now: number): number[] =>
  orders
    .map(({ beganAt }) => beganAt + windowMs)
    .filter((end) => end > now)
    .sort((one, other) => one - other)
