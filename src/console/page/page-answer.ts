import { html, type Markup } from '../../lib/html.ts'
import { bareShell } from '../look/shell.ts'

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

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

/** The console's own path that a form field named; the first page for anything else. */
export const ownPath = (text: string | null): string =>
  text !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : '/'

const messages = {
  nothingHere: [404, 'Nothing here', 'This page does not exist, or you have no access to it.'],
  notAllowed: [403, 'Not for your role', 'If you need this, ask an admin of the account.'],
  crossSite: [403, 'Not from here', 'Another website sent this form. Open the console yourself and try again.'],
  failed: [
    500,
    'That failed',
    'The console could not answer. Try again. If it fails again, ask an owner of the box to look at Health. If that page fails too, run capture doctor on the box.',
  ],
  busy: [429, 'Too many tries', 'Wait a few minutes, then try again. A passkey works meanwhile.'],
  gone: [
    410,
    'This link no longer works',
    'An invitation works once, within 24 hours, while its account exists. Ask for a new one.',
  ],
  noReport: [
    404,
    'This link shows nothing',
    'It has expired, was revoked, or is incomplete. Ask the sender for a new one.',
  ],
  tooLarge: [413, 'Too large', 'This page does not accept that much. Go back and send less.'],
  onlyHttps: [403, 'Only over https', 'At this name, the console answers over https only.'],
  onceMore: [200, 'One moment', 'Opening the console …'],
} as const

export function messagePage(name: keyof typeof messages, headers: Record<string, string> = {}): Response {
  const [status, title, text] = messages[name]
  const body = html`<h1>${title}</h1><p>${text}</p>${name === 'noReport' ? null : html`<p><a href="/">To the console</a></p>`}`
  return pageAnswer(bareShell({ title, body }), status, headers)
}
