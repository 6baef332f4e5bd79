import { type KeptName, nothingObserved, type ObservedName } from '../certificate-store.ts'

/** The result of one check of a name from outside. */
export interface Look {
  observed: ObservedName
  /** The obstacle to an order, as a sentence with advice; `null`: none. */
  hindrance: string | null
}

const notLookedYet = 'The name is new and will be checked within seconds.'
const inTurn = 'Everything is ready: the certificate will be ordered in its turn.'
const trialWorked = 'A trial order has succeeded: the certificate will be ordered again.'

/** Ends the reason of a name whose orders have failed for long. It is stored with the name. */
export const givenUpAdvice = (host: string): string =>
  `After 30 days the box stops trying until the DNS of the name changes or you run capture domain check ${host} --now.`

/** A newly configured name. @param whyNot why the name cannot have a certificate, as a sentence */
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

/** A name that is configured again. A valid certificate is used as before. */
const returned = (name: KeptName, whyNot: string | null, now: number): KeptName => ({
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
 * After a check from outside. The reason of a failed order stays until the observation changes; an unhindered renewal is not
 * worth logging.
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

/** Restarts a name that was given up. */
const anew = (name: KeptName): KeptName =>
  name.nextTryAt === null ? { ...name, failures: 0, failingSince: null } : name

/** The order waits for its turn. */
export const postponed = (name: KeptName, { reason, until }: { reason: string; until: number }, now: number) => ({
  ...name,
  ...{ state: 'waiting' as const, reason, nextTryAt: until, decidedAt: now },
})

/** A trial at the staging directory succeeded. */
export const tried = (name: KeptName, now: number): KeptName => ({
  ...name,
  ...{ state: 'waiting', reason: trialWorked, nextTryAt: now, decidedAt: now, isTrial: false },
})

export interface Refused {
  /** `waiting`: the authority was unreachable or demands a pause. */
  state: 'waiting' | 'failing'
  /** A sentence, with the authority's words. */
  reason: string
  /** The pause that the authority demands. */
  retryAfterMs: number | null
  /** Whether the next attempts go to the staging directory. */
  isTrial: boolean
}

/** The order produced no usable certificate. */
export function refused(name: KeptName, { state, reason, retryAfterMs, isTrial }: Refused, now: number): KeptName {
  const failures = name.failures + 1
  const failingSince = Math.min(name.failingSince ?? now, now)
  const delayMs = retryDelayMs(failures, now - failingSince)
  const givenUp = `${reason} ${givenUpAdvice(name.host)}`
  return {
    ...name,
    ...{ failures, failingSince, isTrial, decidedAt: now, looks: 0 },
    state: delayMs === null ? 'failing' : state,
    reason: delayMs === null ? givenUp : reason,
    nextTryAt: delayMs === null ? null : now + Math.max(delayMs, retryAfterMs ?? 0),
  }
}

const removed = (name: KeptName, now: number): KeptName => ({ ...name, removedAt: now, nextTryAt: null })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Minutes between two orders of a name that fail, as certmagic waits: 24 tries in the first day and a half, then four a day. */
const retryMinutes = [
  ...[1, 2, 2, 5, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30],
  ...[60, 60, 60, 120, 120, 180, 180, 360],
] as const
/** A name that has failed for this long is given up until its DNS changes or an operator asks. */
const retryMsMax = 30 * dayMs

/**
 * The wait after the given number of failures; `null`: give up.
 *
 * @param failingForMs time since the first failure
 */
export function retryDelayMs(failures: number, failingForMs: number): number | null {
  if (failingForMs >= retryMsMax) return null
  return (retryMinutes[Math.max(0, failures - 1)] ?? retryMinutes[retryMinutes.length - 1] ?? 0) * minuteMs
}

/** How often to check from outside: often while somebody is probably editing the DNS, and without end. */
const looks = [
  { upTo: hourMs, everyMs: 30_000 },
  { upTo: dayMs, everyMs: minuteMs },
  { upTo: 7 * dayMs, everyMs: 5 * minuteMs },
  { upTo: Number.POSITIVE_INFINITY, everyMs: 30 * minuteMs },
]

/** The wait before the next check, after the given number of checks without a change. */
export function lookDelayMs(unchangedLooks: number): number {
  let left = unchangedLooks
  let before = 0
  for (const { upTo, everyMs } of looks) {
    const many = (upTo - before) / everyMs
    if (left < many) return everyMs
    left -= many
    before = upTo
  }
  return hourMs
}

/** More than the longest wait that the keeper sets, an authority's Retry-After of a week. */
const waitMsMax = 8 * 86_400_000
/** The longest interval between two requests for a window, which RFC 9773 section 4.3.2 leaves to the client. */
const askMsMax = 86_400_000

export function isOrderDue(name: KeptName, now: number): boolean {
  if (!isWanted(name) || !isTryDue(name, now)) return false
  return name.certificate === null || name.certificate.renewAt <= now
}

/** Whether to ask the authority for the renewal window. Also due shortly before the renewal, which may have been postponed. */
export function isWindowDue(name: KeptName, now: number): boolean {
  const { certificate } = name
  if (certificate === null || !isWanted(name)) return false
  const { askAt } = certificate.renewal
  return askAt <= now || askAt > now + askMsMax
}

/** Whether the name is fine again in spite of an earlier failure. */
const isRestored = (name: KeptName, now: number): boolean =>
  isWanted(name) && name.state !== 'active' && name.certificate !== null && name.certificate.renewAt > now

/** Whether the name is configured and can have a certificate. */
export const isWanted = ({ state, removedAt }: KeptName): boolean => state !== 'off' && removedAt === null

function isTryDue({ nextTryAt, state }: KeptName, now: number): boolean {
  // An active name only waits for its renewal. Any other was given up until its DNS changes or an operator asks.
  if (nextTryAt === null) return state === 'active'
  return nextTryAt <= now || nextTryAt > now + waitMsMax
}

/** Adjusts the name after the clock stepped back, so that its wait is no longer than originally. */
function withClockSteppedBack(name: KeptName, now: number): KeptName {
  const { decidedAt, nextTryAt } = name
  if (decidedAt <= now) return name
  return { ...name, decidedAt: now, nextTryAt: nextTryAt === null ? null : now + (nextTryAt - decidedAt) }
}

/** A name that should have a certificate. */
export interface ConfiguredName {
  /** Lower-case, IDN as punycode. */
  host: string
  /** Id of the account that owns the domain; `''`: the box. */
  accountId: string
}

/** The changes that make the stored names match the configuration and the clock. */
export function reconciled(
  kept: readonly KeptName[],
  configured: readonly ConfiguredName[],
  { whyNotPublic, now }: { whyNotPublic: (host: string) => string | null; now: number },
): KeptName[] {
  const known = new Map(kept.map((name) => [name.host, name]))
  const hosts = new Set(configured.map(({ host }) => host))
  const added = [...hosts].filter((host) => !known.has(host)).map((host) => newName(host, whyNotPublic(host), now))
  const changed = kept.flatMap((name) => {
    const next = withClockSteppedBack(brought(name, hosts, { whyNotPublic, now }), now)
    return next === name ? [] : [next]
  })
  return [...added, ...changed]
}

function brought(
  name: KeptName,
  hosts: ReadonlySet<string>,
  { whyNotPublic, now }: { whyNotPublic: (host: string) => string | null; now: number },
): KeptName {
  if (!hosts.has(name.host)) return name.removedAt === null || name.removedAt > now ? removed(name, now) : name
  if (name.removedAt !== null) return returned(name, whyNotPublic(name.host), now)
  return isRestored(name, now) ? active(name, now) : name
}
