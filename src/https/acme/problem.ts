/** The kind of a failure, which determines what to do next. */
export type AcmeProblemKind =
  /** No connection, no trusted certificate, no answer in time, or a server error. */
  | 'unreachable'
  /** The answer violates RFC 8555: not an ACME server, or a broken one. */
  | 'unintelligible'
  /** The order was not finished in time. */
  | 'stuck'
  | 'rateLimited'
  /** The authority's validation of the host failed; `detail` says why. */
  | 'rejected'
  /** None of the offered challenges can be answered for this host. */
  | 'noChallenge'
  /** The account no longer exists. Request it with `url: null`. */
  | 'accountGone'
  /** The key's account was deactivated. Use a new key. */
  | 'keyRefused'
  /** `invalidContact` or `unsupportedContact`. */
  | 'contactRefused'
  /** The operator has to agree to changed terms of service. */
  | 'terms'
  | 'externalBindingRequired'
  /** The `kid` is unknown or the HMAC key is wrong. */
  | 'externalBindingRefused'
  | 'badSignature'
  /** Several nonces in a row were refused. */
  | 'badNonce'
  | 'invalidProfile'
  /** The certificate was already replaced; `order` then omits `replaces`. */
  | 'alreadyReplaced'
  /** Any other refusal. */
  | 'refused'

interface AcmeProblemParts {
  kind: AcmeProblemKind
  detail: string
  type?: string
  status?: number | null
  retryAfterMs?: number | null
  subproblems?: readonly string[]
}

/** A failed request to an authority. Its texts are sanitized for logs and terminals. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem'
  readonly kind: AcmeProblemKind
  /** What went wrong, in the authority's words or ours, possibly without a final full stop. */
  readonly detail: string
  /** `urn:ietf:params:acme:error:…`; `''`: the authority named no type. */
  readonly type: string
  /** The HTTP status; `null`: no answer. */
  readonly status: number | null
  /** The authority's `Retry-After`, at most a week; `null`: none. */
  readonly retryAfterMs: number | null
  /** What else the authority says, a sentence each. */
  readonly subproblems: readonly string[]

  constructor({ kind, detail, type = '', status = null, retryAfterMs = null, subproblems = [] }: AcmeProblemParts) {
    super(detail)
    this.kind = kind
    this.detail = detail
    this.type = type
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.subproblems = subproblems
  }

  /** The same problem under another kind. */
  as(kind: AcmeProblemKind): AcmeProblem {
    const { detail, type, status, retryAfterMs, subproblems } = this
    return new AcmeProblem({ kind, detail, type, status, retryAfterMs, subproblems })
  }
}

/** C0, DEL, C1, zero-width characters, line and paragraph separators, and bidirectional controls. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu
const charactersMax = 400

/**
 * Sanitizes a server's text for one line of a log or terminal: removes control characters, which could rewrite earlier output,
 * and cuts it to the length of a sentence.
 */
export function cleanedText(text: string): string {
  // Cut first, to bound the work on huge texts.
  const line = text
    .slice(0, charactersMax * 4)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1).toWellFormed()}…`
}
