/**
 * How a name fares: `active` has a certificate and nothing is wrong; `waiting` for its DNS, its turn or the authority;
 * `failing`: the authority looked and refused; `off`: no public name, nothing is ever asked for it.
 */
export type NameState = 'active' | 'waiting' | 'failing' | 'off'

/** The world as it was when a name was last looked at. */
export interface ObservedName {
  a: string[]
  aaaa: string[]
  cname: string | null
  /** The CAA records that hold for the name (RFC 8659 section 3), each as `0 issue "letsencrypt.org"`. */
  caa: string[]
  /** Who answers on port 80 of the name; `unknown`: nobody could say, or nobody has looked. */
  http: 'ours' | 'other' | 'none' | 'unknown'
}

export const nothingObserved: ObservedName = { a: [], aaaa: [], cname: null, caa: [], http: 'unknown' }

/** What is kept of one name that should have a certificate. Instants are epoch milliseconds. */
export interface KeptName {
  /** Lower-case, IDN as punycode. */
  host: string
  state: NameState
  /** One sentence with what to do; `''` when active or off. */
  reason: string
  observed: ObservedName
  /** `null`: nothing is due but the renewal. */
  nextTryAt: number | null
  /** When `nextTryAt` was set: a clock that steps back must not make the wait longer. */
  decidedAt: number
  /** Looks at the world since it changed for the name, or somebody asked for one. */
  looks: number
  /** Orders that the authority refused, since the last certificate. */
  failures: number
  /** Since when orders have failed; `null`: they do not. */
  failingSince: number | null
  /** The next order goes to the authority's directory for trials. */
  isTrial: boolean
  /** Since when it is configured no more; `null`: it is. */
  removedAt: number | null
  /** The latest one that was issued, though it may have expired. */
  certificate: KeptCertificate | null
}

/** What is told of a certificate; its chain and key are read by `CertificateSource` alone. */
export interface KeptCertificate {
  /** Name of the issuer, such as `Let's Encrypt E7`. */
  issuer: string
  /** Lower-case hex. */
  serial: string
  notBefore: number
  notAfter: number
  /** The instant that was chosen for its renewal. */
  renewAt: number
  renewal: RenewalChoice
  /** URL of the directory that it was ordered at. */
  directory: string
}

/** The authority's window for the renewal (RFC 9773), as it was when `renewAt` was drawn. */
export interface RenewalChoice {
  /** `null`: the authority names none, and `renewAt` follows from the lifetime. */
  window: { startMs: number; endMs: number } | null
  /** When to ask for the window again. */
  askAt: number
}
