import type { KeptName } from '../kept-name.ts'
import { active, newName, removed, returned } from './name-steps.ts'

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
