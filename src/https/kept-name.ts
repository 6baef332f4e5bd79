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
