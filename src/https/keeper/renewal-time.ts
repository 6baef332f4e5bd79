import type { RenewalInfo } from '../acme/authority.ts'
import type { KeptCertificate, RenewalChoice } from '../kept-name.ts'

type Lifetime = Pick<KeptCertificate, 'notBefore' | 'notAfter'>

export interface ChosenRenewal {
  renewAt: number
  renewal: RenewalChoice
}

/** Where an authority names no window: never a number of days, since lifetimes get shorter and shorter. */
const plainPart = 2 / 3
/** Whatever a window says, some time is left to try again in. */
const latestPart = 9 / 10
/** When an authority that names no window is asked again. */
const askAgainMs = 86_400_000

/**
 * When to renew a certificate (RFC 9773 section 4.2): at an instant of the window that chance picks and that stays as long
 * as the window does; without one at two thirds of the lifetime.
 *
 * @param info what the authority says now; `null`: it names no window
 * @param kept what was chosen before
 * @param random from 0 up to 1
 */
export function chosenRenewal(
  life: Lifetime,
  { info, kept, now, random }: { info: RenewalInfo | null; kept: ChosenRenewal | null; now: number; random: number },
): ChosenRenewal {
  if (info === null) return plainRenewal(life, now)
  const { startMs, endMs, retryAfterMs } = info
  const askAt = now + retryAfterMs
  const window = { startMs, endMs }
  const before = kept?.renewal.window
  if (kept && before?.startMs === startMs && before.endMs === endMs) {
    return { renewAt: kept.renewAt, renewal: { window, askAt } }
  }
  const picked = Math.floor(startMs + random * Math.max(0, endMs - startMs))
  return { renewAt: Math.min(picked, instantAt(life, latestPart)), renewal: { window, askAt } }
}

/** The renewal of a certificate whose authority names no window, or could not be asked. */
export const plainRenewal = (life: Lifetime, now: number): ChosenRenewal => ({
  renewAt: instantAt(life, plainPart),
  renewal: { window: null, askAt: now + askAgainMs },
})

const instantAt = ({ notBefore, notAfter }: Lifetime, part: number): number =>
  Math.floor(notBefore + (notAfter - notBefore) * part)
