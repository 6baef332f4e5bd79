import { type Refusal, refusalTable } from '../capture/refusal.ts'

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

/** An answer with only a status. */
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
