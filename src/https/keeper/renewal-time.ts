import type { RenewalInfo } from '../acme/authority.ts'
import type { KeptCertificate, RenewalChoice } from '../kept-name.ts'

type Lifetime = Pick<KeptCertificate, 'notBefore' | 'notAfter'>

interface ChosenRenewal {
  renewAt: number
  renewal: RenewalChoice
}

/** Without a window, the fraction of the lifetime. Never a number of days, since lifetimes keep getting shorter. */
const plainPart = 2 / 3
/** Whatever the window, leave time for retries. */
const latestPart = 9 / 10
/** How often to ask an authority without a window. */
const askAgainMs = 86_400_000

/**
 * When to renew a certificate (RFC 9773 section 4.2): at a random instant of the window, which stays until the window changes;
 * without a window, at two thirds of the lifetime.
 *
 * @param info the authority's present window; `null`: none
 * @param kept the earlier choice
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

/** The renewal without a window from the authority. */
export const plainRenewal = (life: Lifetime, now: number): ChosenRenewal => ({
  renewAt: instantAt(life, plainPart),
  renewal: { window: null, askAt: now + askAgainMs },
})

const instantAt = ({ notBefore, notAfter }: Lifetime, part: number): number =>
  Math.floor(notBefore + (notAfter - notBefore) * part)
