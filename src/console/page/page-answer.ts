import type { Markup } from '../../lib/html.ts'

/** Nothing from other origins, no inline script, and no framing by other sites. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types capture"

export const securityHeaders = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** A page of the console. Pages contain personal data, so no cache may store them. */
export const pageAnswer = (page: Markup, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(page.text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...securityHeaders,
      ...headers,
    },
  })

/** A page with sandboxed frames for documents of one other origin. */
export const framingPageAnswer = (page: Markup, framesFrom: string, status = 200): Response =>
  pageAnswer(page, status, { 'content-security-policy': `${policy}; frame-src ${framesFrom}` })

/** Sends the browser on to another page of the console, by GET. */
export const seeOther = (path: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location: path, 'cache-control': 'no-store', ...securityHeaders, ...headers },
  })

/** The answer with cookies for the browser. */
export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

/** The console's own path that a form field named; the first page for anything else. */
export const ownPath = (text: string | null): string =>
  text !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : '/'
