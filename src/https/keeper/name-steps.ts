import { type KeptName, nothingObserved, type ObservedName } from '../kept-name.ts'
import { lookDelayMs, retryDelayMs } from './retry-times.ts'

/** What one look at the world has found for a name. */
export interface Look {
  observed: ObservedName
  /** Why the authority need not be asked, as a sentence with what to do; `null`: nothing stands in the way. */
  hindrance: string | null
}

const notLookedYet = 'The name is new here and is looked at within seconds.'
const inTurn = 'Everything is ready: the certificate is ordered in its turn.'
const trialWorked = 'A trial order has worked: the certificate is ordered again.'
const longFailed = 'Nothing is tried any more after 30 days, until the DNS of the name changes or you run'

/** A name that has just been configured. @param whyNot why it is no public name, as a sentence */
export const newName = (host: string, whyNot: string | null, now: number): KeptName => ({
  host,
  ...(whyNot === null ? { state: 'waiting', reason: notLookedYet, nextTryAt: now } : switchedOff(whyNot)),
  observed: nothingObserved,
  decidedAt: now,
  looks: 0,
  failures: 0,
  failingSince: null,
  isTrial: false,
  removedAt: null,
  certificate: null,
})

const switchedOff = (reason: string) => ({ state: 'off' as const, reason, nextTryAt: null })

/** A name that is configured again; a certificate that is still good is used as before. */
export const returned = (name: KeptName, whyNot: string | null, now: number): KeptName => ({
  ...newName(name.host, whyNot, now),
  observed: name.observed,
  certificate: name.certificate,
})

export const active = (name: KeptName, now: number): KeptName => ({
  ...name,
  ...{ state: 'active', reason: '', nextTryAt: null, decidedAt: now },
  ...{ looks: 0, failures: 0, failingSince: null, isTrial: false },
})

/**
 * The world has been looked at. What an order has failed for holds until the world has changed; a renewal that nothing
 * hinders is no news.
 */
export function lookedAt(name: KeptName, { observed, hindrance }: Look, now: number): KeptName {
  const hasChanged = !Bun.deepEquals(name.observed, observed)
  const looks = hasChanged ? 0 : name.looks + 1
  if (hindrance !== null) {
    const nextTryAt = now + lookDelayMs(looks)
    return { ...name, observed, looks, state: 'waiting', reason: hindrance, nextTryAt, decidedAt: now }
  }
  if (name.state === 'active') return { ...name, observed, looks: 0 }
  if (name.state === 'failing' && !hasChanged) return { ...name, looks }
  return { ...anew(name), observed, looks, state: 'waiting', reason: inTurn, nextTryAt: now, decidedAt: now }
}

/** A name that was given up begins from the start. */
const anew = (name: KeptName): KeptName =>
  name.nextTryAt === null ? { ...name, failures: 0, failingSince: null } : name

/** The order has to wait for its turn. */
export const postponed = (name: KeptName, { reason, until }: { reason: string; until: number }, now: number) => ({
  ...name,
  ...{ state: 'waiting' as const, reason, nextTryAt: until, decidedAt: now },
})

/** A trial at the staging directory has worked. */
export const tried = (name: KeptName, now: number): KeptName => ({
  ...name,
  ...{ state: 'waiting', reason: trialWorked, nextTryAt: now, decidedAt: now, isTrial: false },
})

export interface Refused {
  /** `waiting`: the authority could not be asked, or wants to be left alone. */
  state: 'waiting' | 'failing'
  /** A sentence, with the authority's words. */
  reason: string
  /** How long the authority wants to be left alone. */
  retryAfterMs: number | null
  /** Whether the next tries go to the directory for trials. */
  isTrial: boolean
}

/** The order has brought no certificate that can be used. */
export function refused(name: KeptName, { state, reason, retryAfterMs, isTrial }: Refused, now: number): KeptName {
  const failures = name.failures + 1
  const failingSince = Math.min(name.failingSince ?? now, now)
  const delayMs = retryDelayMs(failures, now - failingSince)
  const givenUp = `${reason} ${longFailed} capture domain check ${name.host} --now.`
  return {
    ...name,
    ...{ failures, failingSince, isTrial, decidedAt: now, looks: 0 },
    state: delayMs === null ? 'failing' : state,
    reason: delayMs === null ? givenUp : reason,
    nextTryAt: delayMs === null ? null : now + Math.max(delayMs, retryAfterMs ?? 0),
  }
}

export const removed = (name: KeptName, now: number): KeptName => ({ ...name, removedAt: now, nextTryAt: null })
