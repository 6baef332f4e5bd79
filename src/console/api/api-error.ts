/** Every refusal of the API, with its status and what a developer can do. A message never repeats what was sent. */
const table = {
  unauthenticated: [401, 'Send a valid token: Authorization: Bearer cap_…. Tokens expire and can be revoked.'],
  forbidden: [403, 'Your role or the scopes of your token do not allow this.'],
  prove_again: [403, 'Confirm your identity first: it must have been confirmed within the last ten minutes.'],
  cross_site: [403, 'A browser session works only on the console’s own pages. Elsewhere, use a token.'],
  not_found: [404, 'This does not exist, or you have no access to it.'],
  method_not_allowed: [405, 'This address takes other methods: see the Allow header.'],
  conflict: [409, 'The present state does not allow this.'],
  harm: [
    409,
    'This takes something away from visitors, or loses data: see harm. To consent, repeat the call with ?accept= and the kinds.',
  ],
  key_reused: [409, 'This Idempotency-Key was used with another request. Use a new one.'],
  done_before: [
    409,
    'A call with this Idempotency-Key was carried out. Its answer was too large to be kept: read the present state instead.',
  ],
  gone: [410, 'This link was used, or has expired.'],
  changed_meanwhile: [412, 'Somebody has changed this since you read it. Read it again.'],
  too_large: [413, 'The body is too large.'],
  wrong_type: [415, 'This address does not take a body of this content type.'],
  invalid: [422, 'The request does not match what this address takes.'],
  precondition_required: [428, 'Send If-Match with the ETag that you read.'],
  too_many: [429, 'Too many calls. Wait for as many seconds as Retry-After says.'],
  internal: [500, 'The console could not answer. Try again. If it fails again, run `capture doctor`.'],
  unavailable: [503, 'The box cannot do this now. Try again in a moment.'],
} as const

export type ApiErrorCode = keyof typeof table

/** Ends a call. `message` replaces the code's default message. */
export class ApiError extends Error {
  readonly status: number

  constructor(
    readonly code: ApiErrorCode,
    message: string = table[code][1],
    readonly headers: Record<string, string> = {},
    /** More members of the error, beside code and message. */
    readonly details: object = {},
  ) {
    super(message)
    this.status = table[code][0]
  }
}

export const apiErrorCodes = Object.keys(table) as ApiErrorCode[]

/** The codes of each status. */
export const apiErrorStatuses = Map.groupBy(apiErrorCodes, (code) => table[code][0])
