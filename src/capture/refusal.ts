/** The codes of the spec's error table. */
type RefusalCode =
  | 'validation'
  | 'unknown_source'
  | 'bot'
  | 'consent_missing'
  | 'rate_limited'
  | 'unavailable'
  // Of files alone.
  | 'file_too_large'
  | 'file_type'
  | 'file_infected'

interface RefusalRow {
  code: RefusalCode
  status: 400 | 403 | 404 | 413 | 415 | 422 | 429 | 503
  /** One sentence a developer can act on. */
  message: string
}

/**
 * Every reason for which a request is refused: check, code, status (spec, Errors and the two orders of checks).
 * The names are what `capture refusals` shows.
 */
export const refusalTable = {
  origin: {
    code: 'unknown_source',
    status: 403,
    message: 'This origin is not allowed to post here: add it to "origins" in site.toml.',
  },
  tracking_key: {
    code: 'unknown_source',
    status: 403,
    message: 'Tracking is disabled, or X-SVC-Site-Key is missing, revoked or not the key of this account.',
  },
  form: {
    code: 'unknown_source',
    status: 404,
    message: 'No form with this id is registered on this domain.',
  },
  content_type: {
    code: 'validation',
    status: 400,
    message: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  size: { code: 'validation', status: 400, message: 'The body is larger than this account accepts.' },
  incomplete: { code: 'validation', status: 400, message: 'The connection ended before the body was complete.' },
  body: { code: 'validation', status: 400, message: 'The body is not a JSON object.' },
  events: { code: 'validation', status: 400, message: 'The body is not a batch of 1 to 20 well-formed events.' },
  budget: { code: 'rate_limited', status: 429, message: 'Too many requests: wait as long as Retry-After says.' },
  honeypot: { code: 'bot', status: 403, message: 'The hidden field must stay empty.' },
  bot_check: {
    code: 'bot',
    status: 403,
    message: 'The bot check is missing or did not verify: solve it again and send its token as "botcheck-response".',
  },
  consent: {
    code: 'consent_missing',
    status: 403,
    message: 'This account tracks nobody before opt-in: send X-SVC-Consent: granted once the visitor has said yes.',
  },
  file: {
    code: 'validation',
    status: 400,
    message:
      'A file that this names is not here: it was sent more than 50 minutes ago, for another form, or already with another submission. Send it again.',
  },
  file_field: { code: 'validation', status: 400, message: 'The form takes no files in this field.' },
  file_size: { code: 'file_too_large', status: 413, message: 'The file is larger than this field takes.' },
  file_type: { code: 'file_type', status: 415, message: 'The file is not of a type that this field takes.' },
  file_infected: {
    code: 'file_infected',
    status: 422,
    message: 'The file was found to hold malware and was not taken.',
  },
  uploads: {
    code: 'rate_limited',
    status: 429,
    message: 'Too many files are arriving at once: wait as long as Retry-After says.',
  },
  upload_room: { code: 'unavailable', status: 503, message: 'The room that this account has for files is used up.' },
  scanner: {
    code: 'unavailable',
    status: 503,
    message: 'The file cannot be looked through for malware right now: send it again after Retry-After.',
  },
  storage: {
    code: 'unavailable',
    status: 503,
    message: 'The record cannot be stored right now: send it again after Retry-After.',
  },
} as const satisfies Record<string, RefusalRow>

export type RefusalCheck = keyof typeof refusalTable

/** A request that failed a check: expected, answered from the closed table, never logged as an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly status: RefusalRow['status']

  constructor(
    readonly check: RefusalCheck,
    options: { message?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(options.message ?? refusalTable[check].message, { cause: options.cause })
    this.code = refusalTable[check].code
    this.status = refusalTable[check].status
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }

  /** When it is worth trying again; `null`: the same request will not succeed later. */
  readonly retryAfterSeconds: number | null
}
