import type { PairText } from './certificate-pair.ts'
import type { CertificateSource } from './certificates.ts'
import type { KeptCertificate, KeptName, RenewalChoice } from './kept-name.ts'

/** What commands read and may ask for. */
export interface NameStore {
  /** Every name that is or was configured, in order of host. */
  names(): Promise<KeptName[]>
  /** `null`: nothing is kept of it; a service in mode `auto` has not seen it yet. */
  name(host: string): Promise<KeptName | null>
  /** Makes the next try of the name due now; a running service heeds it within seconds. `false`: nothing is kept of it. */
  tryNow(host: string, now: number): Promise<boolean>
}

/**
 * Certificates, their keys, the accounts at authorities and the state of each name, for mode `auto`. One service writes; what
 * a resolved promise has written is on disk. Keys leave it by `read` to the listeners and by `account` to the
 * authority's client, and by no other way.
 */
export interface CertificateStore extends NameStore, CertificateSource {
  /** Writes what is kept of these names, but for their certificates: all or none. */
  keepNames(names: readonly KeptName[]): Promise<void>
  /** Keeps an issued certificate, ends its order and writes the state of its name: all or none. */
  keepCertificate(issued: IssuedCertificate): Promise<void>
  /** Keeps another instant for the renewal of the host's certificate. */
  keepRenewal(host: string, renewAt: number, renewal: RenewalChoice): Promise<void>
  /** Erases names and certificates that were removed before this instant; answers how many. */
  eraseRemoved(before: number): Promise<number>

  /** The account at this directory; `null`: none was made. */
  account(directory: string): Promise<KeptAccount | null>
  keepAccount(directory: string, account: KeptAccount): Promise<void>

  /** Notes an order before the authority is asked, so that none is forgotten by a restart. */
  beginOrder(order: Omit<KeptOrder, 'id' | 'outcome'>): Promise<number>
  endOrder(id: number, outcome: OrderOutcome): Promise<void>
  /** Orders that began after this instant, oldest first. */
  ordersSince(instant: number): Promise<KeptOrder[]>
  /** Forgets orders that began before this instant, and lets those that began after `now` have begun now. */
  tidyOrders(before: number, now: number): Promise<void>
}

export interface IssuedCertificate {
  name: KeptName & { certificate: KeptCertificate }
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

/** `null`: under way, or the service ended meanwhile. */
export type OrderOutcome = 'issued' | 'refused' | 'rateLimited' | 'unanswered' | 'unusable'

export interface KeptOrder {
  id: number
  host: string
  /** Id of the account whose domain it is; `''`: the box itself. */
  accountId: string
  /** The name that the authority's limits are counted by: `acme.example` of `go.acme.example`. */
  registeredDomain: string
  directory: string
  /** Announced renewals (RFC 9773 `replaces`) count for none of the authority's limits. */
  isAnnounced: boolean
  beganAt: number
  outcome: OrderOutcome | null
}
