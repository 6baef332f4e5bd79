import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Authority, ChallengeAnswers } from '../acme/authority.ts'
import type { CertificateStore } from '../certificate-store.ts'
import type { OrderLog } from '../order-log.ts'
import type { AuthorityTime } from './authority-clock.ts'
import type { Look } from './name-steps.ts'
import type { ConfiguredName } from './reconcile.ts'
import type { Directories } from './targets.ts'

/** Everything the keeper works with; what of it reaches out into the world can be a plain one in tests. */
export interface KeeperParts {
  store: CertificateStore
  orders: OrderLog
  /** Every name that should have a certificate, as it is configured now. */
  configured: () => Promise<ConfiguredName[]>
  /** Why no authority can issue for a host, as a sentence; `null`: one can. */
  whyNotPublic: (host: string) => string | null
  /** The name that an authority's limits are counted by. */
  registeredDomain: (host: string) => string
  /** Looks whether the name leads here and the authority of this directory is allowed. Never throws for what it finds. */
  look: (host: string, question: LookQuestion) => Promise<Look>
  directories: Directories
  /** The same client each time for a directory. */
  authority: (directory: string) => Authority
  authorityTime: AuthorityTime
  answers: ChallengeAnswers
  /** `''`: none. */
  contact: string
  externalBinding: { kid: string; hmac: string } | null
  /** `''`: the authority's choice. */
  profile: string
  /** Told when a host has another certificate than before. */
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
