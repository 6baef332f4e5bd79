import type { PairText } from '../certificate-pair.ts'

/** A certificate authority that speaks ACME (RFC 8555). Every promise rejects with an `AcmeProblem`, or with the signal's reason. */
export interface Authority {
  readonly directoryUrl: string
  /** The authority's description in its directory. Cached, except after a failure. */
  offer(signal?: AbortSignal): Promise<AuthorityOffer>
  /**
   * The account of this key: the one at `url`, without a request; else the authority's account for the key; else a new one,
   * which agrees to the terms of service.
   */
  account(request: AccountRequest, signal?: AbortSignal): Promise<AuthorityAccount>
  /** When to renew (RFC 9773); `null`: the authority does not say so for this certificate. */
  renewalInfo(certificate: string, signal?: AbortSignal): Promise<RenewalInfo | null>
}

/** The directory's `meta` (RFC 8555 section 7.1.1). */
export interface AuthorityOffer {
  /** The authority's names for CAA records (RFC 8659); may be empty. */
  caaIdentities: string[]
  termsOfService: string | null
  externalBindingRequired: boolean
  /** The names of profiles; may be empty. */
  profiles: string[]
  /** Whether the authority supports RFC 9773. */
  tellsRenewal: boolean
}

export interface AccountRequest {
  /** PEM of an ECDSA P-256 key (`newAccountKey`). */
  key: string
  /** The `url` of an earlier `AuthorityAccount`; `null`: unknown. */
  url: string | null
  /** An e-mail address; `''`: none. Sent only when the account is created. */
  contact: string
  /** RFC 8555 section 7.3.4; `hmac` is the authority's base64url text. */
  externalBinding: { kid: string; hmac: string } | null
}

export interface AuthorityAccount {
  /** Store it with the key. `dns-persist-01` records contain it. */
  readonly url: string
  /** RFC 7638. The answer to an HTTP-01 challenge is the token, a dot and this thumbprint. */
  readonly keyThumbprint: string
  /**
   * Orders a certificate for one host and waits for it. The returned key is new (ECDSA P-256) and verified to match the
   * certificate. The chain is the authority's default.
   */
  order(request: OrderRequest, signal?: AbortSignal): Promise<PairText>
}

export interface OrderRequest {
  /** Lower-case, IDN as punycode. */
  host: string
  /** `''`: the authority's choice. */
  profile: string
  /** `renewalId` of the replaced certificate; `null`: none. If it was already replaced, the order omits it. */
  replaces: string | null
  answers: ChallengeAnswers
}

/** How the caller proves control of a host. `null`: not supported. */
export interface ChallengeAnswers {
  /** Publishes the answer until the returned value is disposed. */
  http01: ((answer: Http01Answer) => Promise<AsyncDisposable>) | null
  /**
   * The TXT records of this name, each as one text; empty if the lookup fails. A matching record selects `dns-persist-01`,
   * otherwise HTTP-01 is used.
   */
  txtRecords: ((name: string, signal: AbortSignal) => Promise<string[]>) | null
}

/** RFC 8555 section 8.3: `http://HOST/.well-known/acme-challenge/TOKEN` answers with `keyAuthorization`. */
export interface Http01Answer {
  host: string
  token: string
  keyAuthorization: string
}

/** RFC 9773 section 4.2: renew at a random instant within the window, and ask again after `retryAfterMs`. */
export interface RenewalInfo {
  /** Epoch milliseconds, like `endMs`. */
  startMs: number
  endMs: number
  /** From a minute to a day. */
  retryAfterMs: number
}
