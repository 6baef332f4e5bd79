/** Every refusal of the API: status and what a developer does about it. A message never repeats what was sent. */
const table = {
  unauthenticated: [401, 'Send a valid token: Authorization: Bearer cap_…. Tokens expire and can be revoked.'],
  forbidden: [403, 'Your role or the scopes of your token do not cover this.'],
  prove_again: [403, 'Confirm who you are first: this needs a proof from the last ten minutes.'],
  cross_site: [403, 'A browser session works from the console’s own pages alone. Use a token from elsewhere.'],
  not_found: [404, 'There is no such thing, or you have no part in it.'],
  method_not_allowed: [405, 'This address takes other methods: see the Allow header.'],
  conflict: [409, 'The present state does not allow this.'],
  key_reused: [409, 'This Idempotency-Key was used with another request. Use a new one.'],
  gone: [410, 'This link was used, or is too old.'],
  changed_meanwhile: [412, 'It has changed since you read it. Read it again.'],
  too_large: [413, 'The body is too large.'],
  wrong_type: [415, 'The body has another content type than this address takes.'],
  invalid: [422, 'The request does not fit what this address takes.'],
  precondition_required: [428, 'Send If-Match with the ETag that you read.'],
  too_many: [429, 'Too many calls. Wait for as long as Retry-After says.'],
  internal: [500, 'The console failed to answer. Try again; if that goes on, run `capture doctor`.'],
  unavailable: [503, 'The box cannot do this now. Try again in a moment.'],
} as const

export type ApiErrorCode = keyof typeof table

/** Ends a call. `message` replaces the code's own sentence. */
export class ApiError extends Error {
  readonly status: number

  constructor(
    readonly code: ApiErrorCode,
    message: string = table[code][1],
    readonly headers: Record<string, string> = {},
    /** What else the error says, beside code and message. */
    readonly details: object = {},
  ) {
    super(message)
    this.status = table[code][0]
  }
}

export const apiErrorCodes = Object.keys(table) as ApiErrorCode[]
