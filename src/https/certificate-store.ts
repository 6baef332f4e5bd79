import type { PairText } from './certificate-pair.ts'
import type { CertificateSource } from './certificates.ts'

/** The part of the store that commands use. */
interface NameStore {
  /** Every present or former name, in order of host. */
  names(): Promise<KeptName[]>
  /** `null`: unknown, since no service in mode `auto` has seen it yet. */
  name(host: string): Promise<KeptName | null>
  /** Makes the name's next attempt due now; a running service reacts within seconds. `false`: no attempt is waiting. */
  tryNow(host: string, now: number): Promise<boolean>
}

/**
 * Certificates with their keys, accounts at authorities and the state of each name, for mode `auto`. Only the service writes.
 * Writes are on disk when their promise resolves. Keys leave the store only by `read`, to the listeners, and by `account`, to the
 * authority's client.
 */
export interface CertificateStore extends NameStore, CertificateSource {
  /** Writes the state of these names without their certificates, all or none. */
  keepNames(names: readonly KeptName[]): Promise<void>
  /** Stores an issued certificate, ends its order and writes the state of its name, all or none. */
  keepCertificate(issued: IssuedCertificate): Promise<void>
  /** Changes the renewal time of the host's certificate. */
  keepRenewal(host: string, renewAt: number, renewal: RenewalChoice): Promise<void>
  /** Erases names and certificates that were removed before this instant. Resolves to their hosts. */
  eraseRemoved(before: number): Promise<string[]>

  /** The account at this directory; `null`: none yet. */
  account(directory: string): Promise<KeptAccount | null>
  keepAccount(directory: string, account: KeptAccount): Promise<void>
}

export interface IssuedCertificate {
  name: KeptName
  certificate: KeptCertificate
  pair: PairText
  orderId: number
}

/** An account at an authority (RFC 8555 section 7.3). */
export interface KeptAccount {
  /** PEM. */
  key: string
  /** `null`: the authority has not answered yet. */
  url: string | null
}

/** The orders of recent days, which keep authorities' limits across restarts. */
export interface OrderLog {
  /** Records an order before the authority is asked. Resolves to its id. */
  begin(order: OrderBegun): Promise<number>
  end(id: number, outcome: OrderOutcome): Promise<void>
  /** Orders that began after this instant, oldest first. */
  since(instant: number): Promise<KeptOrder[]>
  /**
   * Forgets orders from before this instant, except the latest `ordersKeptMin`, so that a clock that is temporarily ahead does not
   * free up a limit. Moves orders from the future, made while the clock was ahead, to `now`, so that they age.
   */
  tidy(before: number, now: number): Promise<void>
}

/** Twice the largest limit. */
export const ordersKeptMin = 500

export interface OrderBegun {
  host: string
  /** Id of the account that owns the domain; `''`: the box. */
  accountId: string
  /** The domain to which authorities' limits apply: `acme.example` for `go.acme.example`. */
  registeredDomain: string
  /** URL. */
  directory: string
  /** Announced renewals (RFC 9773 `replaces`) are exempt from the authority's limits. */
  isAnnounced: boolean
  beganAt: number
}

export interface KeptOrder extends OrderBegun {
  id: number
  /** `null`: in progress, or the service ended meanwhile. */
  outcome: OrderOutcome | null
}

/**
 * `refused`: the authority said no. `unanswered`: the exchange was not completed. `unusable`: the issued certificate cannot be
 * used.
 */
export type OrderOutcome = 'issued' | 'refused' | 'rateLimited' | 'unanswered' | 'unusable'

/**
 * The state of a name. `active`: has a certificate, without problems. `waiting`: for its DNS, its turn or the authority.
 * `failing`: the authority checked and refused. `off`: not a public name; nothing is ever ordered.
 */
export type NameState = 'active' | 'waiting' | 'failing' | 'off'

/** The result of a name's last check from outside. */
export interface ObservedName {
  a: string[]
  aaaa: string[]
  cname: string | null
  /** The CAA records that apply to the name (RFC 8659 section 3), each as `0 issue "letsencrypt.org"`. */
  caa: string[]
  /** Who answers on port 80 of the name; `unknown`: not determined. */
  http: 'ours' | 'other' | 'none' | 'unknown'
}

export const nothingObserved: ObservedName = { a: [], aaaa: [], cname: null, caa: [], http: 'unknown' }

/** The stored state of one name that should have a certificate. Instants are epoch milliseconds. */
export interface KeptName {
  /** Lower-case, IDN as punycode. */
  host: string
  state: NameState
  /** One sentence with what to do; `''` when active or off. */
  reason: string
  observed: ObservedName
  /** `null`: only the renewal is due. */
  nextTryAt: number | null
  /** When `nextTryAt` was set, so that a clock stepping back does not prolong the wait. */
  decidedAt: number
  /** The number of checks since the observation changed or an operator asked. */
  looks: number
  /** The number of refused orders since the last certificate. */
  failures: number
  /** Since when orders fail; `null`: they do not. */
  failingSince: number | null
  /** Whether the next order goes to the staging directory. */
  isTrial: boolean
  /** When the name was disconnected; `null`: it is configured. */
  removedAt: number | null
  /** The latest certificate, possibly expired. */
  certificate: KeptCertificate | null
}

/** A certificate without its chain and key, which only `CertificateSource` reads. */
export interface KeptCertificate {
  /** Name of the issuer, such as `Let's Encrypt E7`. */
  issuer: string
  /** Lower-case hex. */
  serial: string
  notBefore: number
  notAfter: number
  /** The chosen time of renewal. */
  renewAt: number
  renewal: RenewalChoice
  /** URL of the issuing directory. */
  directory: string
}

/** The authority's renewal window (RFC 9773) at the time `renewAt` was chosen. */
export interface RenewalChoice {
  /** `null`: no window; `renewAt` follows from the lifetime. */
  window: { startMs: number; endMs: number } | null
  /** When to ask for the window again. */
  askAt: number
}
