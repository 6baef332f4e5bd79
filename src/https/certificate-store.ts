import type { PairText } from './certificate-pair.ts'
import type { CertificateSource } from './certificates.ts'
import type { KeptCertificate, KeptName, RenewalChoice } from './kept-name.ts'

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
