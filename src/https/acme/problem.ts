/** What a failure means for what to do next. */
export type AcmeProblemKind =
  /** No connection, no trusted certificate, no answer in time, or a server error. */
  | 'unreachable'
  /** It answered, but not as RFC 8555 says: no ACME server, or a broken one. */
  | 'unintelligible'
  /** The order was not done in time. */
  | 'stuck'
  | 'rateLimited'
  /** The authority looked at the host and does not vouch for it: `detail` says what it saw. */
  | 'rejected'
  /** It offers no challenge that can be answered for this host. */
  | 'noChallenge'
  /** The account does not exist any more. Ask for it with `url: null`. */
  | 'accountGone'
  /** No account can be had with this key any more: it was deactivated. Take a new key. */
  | 'keyRefused'
  /** `invalidContact` or `unsupportedContact`. */
  | 'contactRefused'
  /** Somebody has to agree to changed terms of service. */
  | 'terms'
  | 'externalBindingRequired'
  /** It does not know this `kid`, or the HMAC key is another. */
  | 'externalBindingRefused'
  | 'badSignature'
  /** Each of several nonces was refused. */
  | 'badNonce'
  | 'invalidProfile'
  /** The certificate was replaced before; `order` then orders without saying what is replaced. */
  | 'alreadyReplaced'
  /** Any other refusal. */
  | 'refused'

export interface AcmeSubproblem {
  type: string
  detail: string
  /** The host it is about; `''`: not said. */
  host: string
}

interface AcmeProblemParts {
  kind: AcmeProblemKind
  detail: string
  type?: string
  status?: number | null
  retryAfterMs?: number | null
  subproblems?: readonly AcmeSubproblem[]
}

/** Why an authority did not do what was asked. Its texts are cleaned: they may stand in logs and terminals. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem'
  readonly kind: AcmeProblemKind
  /** What went wrong, in the authority's words or in ours; without an end of sentence where it has none. */
  readonly detail: string
  /** `urn:ietf:params:acme:error:…`; `''`: the fault is not one that the authority named. */
  readonly type: string
  /** Of the HTTP answer; `null`: there was none. */
  readonly status: number | null
  /** How long the authority asked to wait; `null`: it did not. At most a week. */
  readonly retryAfterMs: number | null
  readonly subproblems: readonly AcmeSubproblem[]

  constructor({ kind, detail, type = '', status = null, retryAfterMs = null, subproblems = [] }: AcmeProblemParts) {
    super(detail)
    this.kind = kind
    this.detail = detail
    this.type = type
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.subproblems = subproblems
  }

  /** The same, where it means something else. */
  as(kind: AcmeProblemKind): AcmeProblem {
    const { detail, type, status, retryAfterMs, subproblems } = this
    return new AcmeProblem({ kind, detail, type, status, retryAfterMs, subproblems })
  }
}
