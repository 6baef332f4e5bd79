import type { PairText } from './certificate-pair.ts'
import type { CertificateSource } from './certificates.ts'
import type { KeptCertificate, KeptName, RenewalChoice } from './kept-name.ts'

/** What commands read and may ask for. */
export interface NameStore {
  /** Every name that is or was configured, in order of host. */
  names(): Promise<KeptName[]>
  /** `null`: nothing is kept of it; a service in mode `auto` has not seen it yet. */
  name(host: string): Promise<KeptName | null>
  /** Makes the next try of the name due now; a running service heeds it within seconds. `false`: no try is waiting. */
  tryNow(host: string, now: number): Promise<boolean>
}

/**
 * Certificates, their keys, the accounts at authorities and the state of each name, for mode `auto`. One service writes;
 * what a resolved promise has written is on disk. Keys leave it by `read` to the listeners and by `account` to the
 * authority's client, and by no other way.
 */
export interface CertificateStore extends NameStore, CertificateSource {
  /** Writes what is kept of these names, but for their certificates: all or none. */
  keepNames(names: readonly KeptName[]): Promise<void>
  /** Keeps an issued certificate, ends its order and writes the state of its name: all or none. */
  keepCertificate(issued: IssuedCertificate): Promise<void>
  /** Keeps another instant for the renewal of the host's certificate. */
  keepRenewal(host: string, renewAt: number, renewal: RenewalChoice): Promise<void>
  /** Erases names and certificates that were removed before this instant; answers their hosts. */
  eraseRemoved(before: number): Promise<string[]>

  /** The account at this directory; `null`: none was made. */
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
