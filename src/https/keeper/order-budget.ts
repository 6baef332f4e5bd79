import { knownDirectories } from '../acme/directories.ts'
import type { KeptOrder, OrderBegun } from '../order-log.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

/** How long orders are remembered: as long as the longest window, and a day. */
export const ordersKeptMs = weekMs + 24 * hourMs

interface Limit {
  windowMs: number
  max: number
}

interface SharedLimit extends Limit {
  /** Kept for accounts that have no name yet. */
  forNewcomers: number
}

/**
 * Somewhat below the limits of Let's Encrypt, which are the tightest: 300 orders of the box in 3 hours, 50 certificates a
 * registered domain and 5 of the same name in 7 days, 5 failed validations of a name in an hour.
 */
export const orderLimits = {
  ofBox: { windowMs: 3 * hourMs, max: 250, forNewcomers: 50 },
  ofRegisteredDomain: { windowMs: weekMs, max: 45, forNewcomers: 0 },
  ofName: { windowMs: weekMs, max: 4 },
  failuresOfName: { windowMs: hourMs, max: 4 },
} as const satisfies Record<string, Limit | SharedLimit>

/** What an order would use: all of an order that is known before it begins. */
export type Wanted = Omit<OrderBegun, 'beganAt'>

export interface BudgetView {
  /** The orders of the longest window. */
  orders: readonly KeptOrder[]
  /** How many names each account has that may want certificates, by the registered domain. */
  names: readonly { accountId: string; registeredDomain: string }[]
  /** The directory for trials, whose limits are far away; `null`: there is none. */
  staging: string | null
  now: number
}

/**
 * When the order may begin; at most `now`: at once. What is left of a limit that several accounts share is kept for those
 * who have not used up their part: no account's names can use up another's.
 */
export function orderFreeAt(wanted: Wanted, view: BudgetView): number {
  const { now } = view
  const ofDirectory = view.orders.filter(({ directory }) => directory === wanted.directory)
  const ofName = ofDirectory.filter(({ host }) => host === wanted.host)
  const refused = ofName.filter(({ outcome }) => outcome === 'refused' || outcome === null)
  const free = [freeAt(refused, orderLimits.failuresOfName, now)]
  // Announced renewals count for no limit of the authority (RFC 9773 section 5).
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

/** When one more fits: once the oldest of as many as the limit allows has left the window. */
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

/** Whether one more of the account fits, with what is kept for the others. */
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

/** When each order within the window leaves it, soonest first. */
const endsWithin = (orders: readonly KeptOrder[], windowMs: number, now: number): number[] =>
  orders
    .map(({ beganAt }) => beganAt + windowMs)
    .filter((end) => end > now)
    .sort((one, other) => one - other)
