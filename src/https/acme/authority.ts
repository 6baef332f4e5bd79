import type { PairText } from '../certificate-pair.ts'

/** A certificate authority that speaks ACME (RFC 8555). Every promise rejects with an `AcmeProblem`, or with the signal's reason. */
export interface Authority {
  readonly directoryUrl: string
  /** What the directory says of the authority. Read once; read again after a failure. */
  offer(signal?: AbortSignal): Promise<AuthorityOffer>
  /**
   * The account of this key: the one at `url`, which is not asked about; else the one that the authority has for the
   * key; else a new one, which agrees to the terms of service.
   */
  account(request: AccountRequest, signal?: AbortSignal): Promise<AuthorityAccount>
  /** When to renew (RFC 9773); `null`: the authority does not say, or not of this certificate. */
  renewalInfo(certificate: string, signal?: AbortSignal): Promise<RenewalInfo | null>
}

/** The directory's `meta` (RFC 8555 section 7.1.1). */
export interface AuthorityOffer {
  /** Names by which CAA records (RFC 8659) allow this authority; empty where the directory has none. */
  caaIdentities: string[]
  termsOfService: string | null
  externalBindingRequired: boolean
  /** Names of the profiles; empty where the authority has none. */
  profiles: string[]
  /** Whether it tells when to renew. */
  tellsRenewal: boolean
}

export interface AccountRequest {
  /** PEM of an ECDSA P-256 key (`newAccountKey`). */
  key: string
  /** The account's URL as an earlier `AuthorityAccount` had it; `null`: not known. */
  url: string | null
  /** An e-mail address; `''`: none. Told when the account is made, not later. */
  contact: string
  /** RFC 8555 section 7.3.4; `hmac` as the authority gave it: base64url. */
  externalBinding: { kid: string; hmac: string } | null
}

export interface AuthorityAccount {
  /** To be kept with the key. It stands in `dns-persist-01` records. */
  readonly url: string
  /** RFC 7638. An answer to HTTP-01 is the token, a dot and this. */
  readonly keyThumbprint: string
  /**
   * Orders a certificate for one host and waits for it. The key is new (ECDSA P-256) and has been checked to belong to
   * the certificate. The chain is the authority's default one.
   */
  order(request: OrderRequest, signal?: AbortSignal): Promise<PairText>
}

export interface OrderRequest {
  /** Lower-case, IDN as punycode. */
  host: string
  /** `''`: the authority's choice. */
  profile: string
  /** `renewalId` of the certificate that this one replaces. Left out when the authority says that it was replaced before. */
  replaces: string | null
  answers: ChallengeAnswers
}

/** How the caller proves that a host is here. `null`: not in this way. */
export interface ChallengeAnswers {
  /** Shows the answer until the returned value is disposed of. */
  http01: ((answer: Http01Answer) => Promise<AsyncDisposable>) | null
  /**
   * The TXT records of this name, each as one text; none where there are none or they cannot be looked up. A fitting
   * one makes `dns-persist-01` the challenge that is taken; else it is HTTP-01.
   */
  txtRecords: ((name: string, signal: AbortSignal) => Promise<string[]>) | null
}

/** RFC 8555 section 8.3: `http://HOST/.well-known/acme-challenge/TOKEN` answers with `keyAuthorization`. */
export interface Http01Answer {
  host: string
  token: string
  keyAuthorization: string
}

/** RFC 9773 section 4.2: renew at a random instant of the window, and ask again after `retryAfterMs`. */
export interface RenewalInfo {
  /** Epoch milliseconds, like `endMs`. */
  startMs: number
  endMs: number
  /** From a minute to a day. */
  retryAfterMs: number
}
