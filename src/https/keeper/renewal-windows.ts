import type { RenewalInfo } from '../acme/authority.ts'
import type { KeptCertificate, KeptName, RenewalChoice } from '../certificate-store.ts'
import type { KeptNames } from './kept-names.ts'
import { isWindowDue } from './name-steps.ts'
import type { KeeperParts } from './parts.ts'

const atOnceMax = 4
/** The wait after a failed request. */
const retryMs = 3_600_000

interface WindowsParts extends Pick<KeeperParts, 'store' | 'authority' | 'clock' | 'random'> {
  names: KeptNames
  run: (work: Promise<void>) => void
  stopping: AbortSignal
}

/** Asks authorities when to renew (RFC 9773), at the intervals that they set. */
export class RenewalWindows {
  private readonly asking = new Set<string>()

  constructor(private readonly parts: WindowsParts) {}

  begin(): void {
    const { names, clock, run } = this.parts
    for (const name of names.all) {
      if (this.asking.size >= atOnceMax) return
      if (this.asking.has(name.host) || !isWindowDue(name, clock.now())) continue
      this.asking.add(name.host)
      run(this.ask(name).finally(() => this.asking.delete(name.host)))
    }
  }

  private async ask({ host, certificate }: KeptName): Promise<void> {
    const { store, names, clock, random } = this.parts
    const found = await store.read(host)
    if (certificate === null || found === null || 'fault' in found) return
    const info = await this.info(certificate.directory, found.certificate)
    const name = names.of(host)
    // The certificate may have been renewed meanwhile.
    if (name?.certificate?.serial !== certificate.serial) return
    const now = clock.now()
    const { renewAt, renewal } =
      info === 'unanswered'
        ? { renewAt: certificate.renewAt, renewal: { ...certificate.renewal, askAt: now + retryMs } }
        : chosenRenewal(certificate, { info, kept: certificate, now, random: random() })
    await store.keepRenewal(host, renewAt, renewal)
    names.take({ ...name, certificate: { ...certificate, renewAt, renewal } }, { isNews: false })
  }

  private async info(directory: string, chain: string) {
    try {
      return await this.parts.authority(directory).renewalInfo(chain, this.parts.stopping)
    } catch {
      return 'unanswered'
    }
  }
}

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
