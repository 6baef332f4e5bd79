import type { KeptName } from '../kept-name.ts'

/** The longest wait that the keeper ever sets, with room: an authority's Retry-After of a week. */
const waitMsMax = 8 * 86_400_000
/** The longest time between two questions for a window (RFC 9773 section 4.3.2 leaves it to the client). */
const askMsMax = 86_400_000

/** Whether a certificate should be ordered for the name now, as far as the name goes. */
export function isOrderDue(name: KeptName, now: number): boolean {
  if (!isWanted(name) || !isTryDue(name, now)) return false
  return name.certificate === null || name.certificate.renewAt <= now
}

/** Whether to ask the authority for the window of the renewal. Also when that is near: it may have been put off. */
export function isWindowDue(name: KeptName, now: number): boolean {
  const { certificate } = name
  if (certificate === null || !isWanted(name)) return false
  const { askAt } = certificate.renewal
  return askAt <= now || askAt > now + askMsMax
}

/** Nothing is to be done for the name, whatever an earlier failure has left. */
export const isRestored = (name: KeptName, now: number): boolean =>
  isWanted(name) && name.state !== 'active' && name.certificate !== null && name.certificate.renewAt > now

/** Configured, and a name that authorities know. */
export const isWanted = ({ state, removedAt }: KeptName): boolean => state !== 'off' && removedAt === null

function isTryDue({ nextTryAt, state }: KeptName, now: number): boolean {
  // An active name has no date but its renewal; any other was given up, until its DNS changes or somebody asks.
  if (nextTryAt === null) return state === 'active'
  return nextTryAt <= now || nextTryAt > now + waitMsMax
}

/** The name as a clock has it that went back: the rest of its wait is as long as it was when it began. */
export function withClockSteppedBack(name: KeptName, now: number): KeptName {
  const { decidedAt, nextTryAt } = name
  if (decidedAt <= now) return name
  return { ...name, decidedAt: now, nextTryAt: nextTryAt === null ? null : now + (nextTryAt - decidedAt) }
}
