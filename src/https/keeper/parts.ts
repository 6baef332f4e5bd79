import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Authority, ChallengeAnswers } from '../acme/authority.ts'
import type { CertificateStore } from '../certificate-store.ts'
import type { OrderLog } from '../order-log.ts'
import type { AuthorityTime } from './authority-clock.ts'
import type { Look } from './name-steps.ts'
import type { ConfiguredName } from './reconcile.ts'
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
