import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Authority, ChallengeAnswers } from '../acme/authority.ts'
import type { CertificateStore, OrderLog } from '../certificate-store.ts'
import type { ConfiguredName, Look } from './name-steps.ts'
import type { Directories } from './targets.ts'

/** The keeper's dependencies. Tests replace those that use the network. */
export interface KeeperParts {
  store: CertificateStore
  orders: OrderLog
  /** Every configured name that should have a certificate. */
  configured: () => Promise<ConfiguredName[]>
  /** Why no authority can issue for a host, as a sentence; `null`: authorities can. */
  whyNotPublic: (host: string) => string | null
  /** The domain to which authorities' limits apply. */
  registeredDomain: (host: string) => string
  /** Checks whether the name leads here and the directory's authority is allowed. Never throws because of the result. */
  look: (host: string, question: LookQuestion) => Promise<Look>
  directories: Directories
  /** The directory's client, the same at each call. */
  authority: (directory: string) => Authority
  authorityTime: AuthorityTime
  answers: ChallengeAnswers
  /** `''`: none. */
  contact: string
  externalBinding: { kid: string; hmac: string } | null
  /** `''`: the authority's choice. */
  profile: string
  /** Called when a host has a new certificate. */
  onIssued: (issued: { host: string; isRenewal: boolean }) => void
  clock: Clock
  /** From 0 up to 1. */
  random: () => number
  log: Log
}

export interface LookQuestion {
  directory: string
  /** URL of the box's account there; `null`: there is none yet. */
  accountUrl: string | null
}

/** The authority's time in epoch milliseconds; `null`: unknown. */
type AuthorityTime = (directory: string, signal: AbortSignal) => Promise<number | null>

/** Some authorities backdate certificates by only an hour. With a clock further off they could not be used. */
const offMsMax = 3_600_000
/** How long a successful comparison stays valid, by the monotonic clock. */
const agreedMsMax = 600_000
const stepMsMax = 60_000

interface Agreement {
  at: number
  atMs: number
}

/**
 * Compares the machine's clock with the authority's. Nothing is ordered while they contradict each other, since after a jump
 * every certificate would look expired, or none.
 */
export class AuthorityClock {
  private readonly agreed = new Map<string, Agreement>()

  constructor(
    private readonly clock: Clock,
    private readonly ask: AuthorityTime,
  ) {}

  /** The clock's error in milliseconds (positive: ahead); 0: negligible. */
  async offMs(directory: string, signal: AbortSignal): Promise<number> {
    if (this.holds(this.agreed.get(directory))) return 0
    const theirs = await this.ask(directory, signal)
    const [at, atMs] = [this.clock.now(), this.clock.monotonicMs()]
    const off = theirs === null ? 0 : at - theirs
    if (Math.abs(off) > offMsMax) return off
    this.agreed.set(directory, { at, atMs })
    return 0
  }

  private holds(agreement: Agreement | undefined): boolean {
    if (agreement === undefined) return false
    const passedMs = this.clock.monotonicMs() - agreement.atMs
    return passedMs < agreedMsMax && Math.abs(this.clock.now() - agreement.at - passedMs) < stepMsMax
  }
}

/** `This machine's clock is 60 days ahead of …`. */
export function clockReason(offMs: number, authority: string): string {
  const hours = Math.round(Math.abs(offMs) / 3_600_000)
  const size = hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
  const where = offMs > 0 ? 'ahead of' : 'behind'
  return `This machine's clock is ${size} ${where} the one of ${authority}, so nothing is ordered: set it (timedatectl status).`
}
