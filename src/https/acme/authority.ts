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

/** A certificate authority that the configuration knows by a short name. */
interface KnownDirectory {
  url: string
  /** The same authority's staging directory; `null`: none. */
  staging: string | null
  /** The authority's names in CAA records (RFC 8659). Any of them allows it. */
  caaIdentities: readonly string[]
  /** Accounts need an external binding (`eab_kid`, `eab_hmac`). */
  needsExternalBinding: boolean
}

const letsEncryptStaging = 'https://acme-staging-v02.api.letsencrypt.org/directory'

export const knownDirectories = {
  letsencrypt: {
    url: 'https://acme-v02.api.letsencrypt.org/directory',
    staging: letsEncryptStaging,
    caaIdentities: ['letsencrypt.org'],
    needsExternalBinding: false,
  },
  'letsencrypt-staging': {
    url: letsEncryptStaging,
    staging: null,
    caaIdentities: ['letsencrypt.org'],
    needsExternalBinding: false,
  },
  zerossl: {
    url: 'https://acme.zerossl.com/v2/DV90',
    staging: null,
    // ZeroSSL issues through Sectigo, which accepts each of its names.
    caaIdentities: ['sectigo.com', 'trust-provider.com', 'usertrust.com', 'comodoca.com', 'comodo.com'],
    needsExternalBinding: true,
  },
  google: {
    url: 'https://dv.acme-v02.api.pki.goog/directory',
    staging: 'https://dv.acme-v02.test-api.pki.goog/directory',
    caaIdentities: ['pki.goog'],
    needsExternalBinding: true,
  },
} as const satisfies Record<string, KnownDirectory>

/** The known authority with this directory; `null`: unknown. */
export function knownDirectoryAt(url: string): KnownDirectory | null {
  return Object.values(knownDirectories).find((directory) => directory.url === url) ?? null
}

/** Four orders at a time need far fewer. */
const answersMax = 100

/** Answers to current HTTP-01 challenges (RFC 8555 section 8.3) by token, served by every plain listener. */
export class Http01Answers {
  private readonly answers = new Map<string, string>()

  /** @param askOther another process that may have ordered; absent: none does */
  constructor(private readonly askOther?: (token: string) => Promise<string | null>) {}

  show(token: string, keyAuthorization: string): void {
    if (this.answers.size < answersMax) this.answers.set(token, keyAuthorization)
  }

  hide(token: string): void {
    this.answers.delete(token)
  }

  clear(): void {
    this.answers.clear()
  }

  /** `null`: no current challenge of this process has the token. */
  ownAnswerTo(token: string): string | null {
    return this.answers.get(token) ?? null
  }

  /** `null`: no current challenge has this token. */
  answerTo(token: string): string | null | Promise<string | null> {
    return this.ownAnswerTo(token) ?? this.askOther?.(token) ?? null
  }
}
