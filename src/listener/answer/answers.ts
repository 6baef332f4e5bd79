import { type Refusal, refusalTable } from '../../capture/refusal.ts'
import { RecentMap } from '../../lib/recent-map.ts'

const unavailableRetrySeconds = 2

export type HeaderRecord = Record<string, string>

export const jsonHeaders: HeaderRecord = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** A JSON answer. Captured paths are never cached. */
export function json(body: string, status: number, headers: HeaderRecord = {}): Response {
  return new Response(body, { status, headers: { ...jsonHeaders, ...headers } })
}

/** The one shape of every JSON error (docs/forms.md). */
export function errorJson(code: string, message: string): string {
  return JSON.stringify({ error: { code, message } })
}

export function refusalAnswer(refusal: Refusal, corsHeaders: HeaderRecord): Response {
  const headers = { ...corsHeaders }
  if (refusal.retryAfterSeconds !== null) headers['retry-after'] = String(refusal.retryAfterSeconds)
  return json(errorJson(refusal.code, refusal.message), refusal.status, headers)
}

/** The answer when a record cannot be stored. Nothing gets 200, 202 or 302 before it is on disk. */
export function unavailableAnswer(corsHeaders: HeaderRecord = {}): Response {
  const { code, message, status } = refusalTable.storage
  return json(errorJson(code, message), status, { ...corsHeaders, 'retry-after': String(unavailableRetrySeconds) })
}

export function bare(status: number, headers: HeaderRecord = {}): Response {
  return new Response(null, {
    status,
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers },
  })
}

export const methodNotAllowed = (allow: string, corsHeaders: HeaderRecord = {}): Response =>
  json(errorJson('method_not_allowed', `This address answers ${allow} only.`), 405, { ...corsHeaders, allow })

/** The connection ends behind the answer; whatever the client has pipelined is dropped (RFC 9112 section 9.6). */
export function closing(answer: Response): Response {
  answer.headers.set('connection', 'close')
  return answer
}

/**
 * In each of two generations: 4 MB at most, with the longest destinations. Few recur: websites that post, and pages that mailings
 * link to.
 */
const rememberedMax = 500

/** Headers that many answers share, such as all with one origin. Making them costs most of a short answer. */
export class SharedHeaders {
  private readonly remembered = new RecentMap<Headers>(rememberedMax)

  /** @param make the headers for a key, which alone they may depend on */
  constructor(private readonly make: (key: string) => HeaderRecord) {}

  /** @param cookie this answer's `Set-Cookie`; `null`: none */
  of(key: string, cookie: string | null): Headers {
    const known = this.remembered.get(key)
    if (known !== undefined) return withCookie(known, cookie)
    const made = new Headers(this.make(key))
    this.remembered.set(key, made)
    return withCookie(made, cookie)
  }
}

/** The shared headers, or a copy of them with the cookie. */
export function withCookie(shared: Headers, cookie: string | null): Headers {
  if (cookie === null) return shared
  const headers = new Headers(shared)
  headers.set('set-cookie', cookie)
  return headers
}
