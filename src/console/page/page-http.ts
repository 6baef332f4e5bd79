import type { Locale } from '../../language/locale.ts'
import type { Texts } from '../../language/texts/en.ts'
import { filled } from '../../language/wording.ts'
import { html, type Markup } from '../../lib/html.ts'
import type { UserCaller } from '../access/caller.ts'
import { bodyWithin } from '../api/read-call.ts'
import type { Arrived } from '../arrived.ts'
import type { ConsoleBox } from '../console-box.ts'
import { bareShell, type NavigationLink } from '../look/shell.ts'
import type { PageContent } from '../page-content.ts'
import { authenticate } from '../sign-in/authentication.ts'
import type { CeremonyPlace } from '../sign-in/passkeys.ts'
import { mailHref } from './contact.ts'
import { isUser } from './page.ts'

const formBytesMax = 262_144

/** The fields of an urlencoded form from the console's own page; the first value of a repeated field. @throws ApiError `too_large` */
export async function formFields(request: Request, bytesMax = formBytesMax): Promise<Map<string, string>> {
  const bytes = await bodyWithin(request, bytesMax)
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes)))
    if (!fields.has(name)) fields.set(name, value)
  return fields
}

export const isFormWithFiles = ({ headers }: Request): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('multipart/form-data')

const bytesMax = 65_536

/** What the console's script sent; `null`: not a JSON object, or another site sent it. */
export async function scriptRequest(request: Request): Promise<Record<string, unknown> | null> {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') return null
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await bodyWithin(request, bytesMax)))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export const scriptAnswer = (value: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })

/** The script of lists of leads shows by itself what an act says. */
export const asksForNotice = ({ headers }: Request): boolean => headers.get('accept') === 'application/json'

export const scriptRefusal = (status: 400 | 403): Response => scriptAnswer({ error: { code: 'refused' } }, status)

export const scriptTooMany = (retryAfterSeconds: number): Response =>
  scriptAnswer({ error: { code: 'too_many' } }, 429, { 'retry-after': String(retryAfterSeconds) })

/** The host name and origin that the sender of a request sees in the browser. */
export function placeOf({ headers }: Request, secure: boolean): CeremonyPlace {
  const { hostname, origin } = new URL(`${secure ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`)
  return { host: hostname, origin }
}

/** The user whose session the request's cookie names, or `null`. Tokens open no pages. @param isUse whether the request counts as use of the session */
export async function signedInUser(
  { request, address, secure }: Omit<Arrived, 'params'>,
  box: ConsoleBox,
  { isUse }: { isUse: boolean } = { isUse: true },
): Promise<UserCaller | null> {
  const headers = new Headers({ cookie: request.headers.get('cookie') ?? '' })
  const found = await authenticate(box, { headers, address, secure, isUse })
  return 'caller' in found && isUser(found.caller) ? found.caller : null
}

/** A page that needs no sign-in: it checks itself who may do what. */
export interface OpenPage {
  path: string
  /** Absent: there is nothing to see, as the script sends the form. */
  show?(asked: Arrived, box: ConsoleBox): Promise<Response>
  /** Does what a form on the page asks for; absent: the page has no form. */
  act?(asked: Arrived, box: ConsoleBox): Promise<Response>
}

/** Whether a page of the console sent the form: another site could sign its visitors in as somebody else. */
export const isFromOwnPage = (request: Request): boolean => request.headers.get('sec-fetch-site') === 'same-origin'

/** A link in a mail brings no `SameSite=Strict` cookie along; a reload by the page itself does. */
export const isFromElsewhere = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('sec-fetch-site') === 'cross-site'

/** A script cannot see where a redirect leads. A browser that says nothing about itself may be opening the page. */
export const isFromScript = ({ headers }: Request): boolean =>
  !['navigate', null].includes(headers.get('sec-fetch-mode'))

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

/** The status of each message (`console.messages` of the texts). */
const statuses = {
  nothingHere: 404,
  signedOut: 401,
  notAllowed: 403,
  notForClients: 403,
  heldBack: 404,
  crossSite: 403,
  failed: 500,
  busy: 429,
  gone: 410,
  lastAdmin: 409,
  tooLarge: 413,
  onceMore: 200,
} as const satisfies Record<keyof Texts['console']['messages'], number>

type MessageName = keyof typeof statuses

interface MessageWays {
  /** The one next step; absent: the first page. */
  list?: Omit<NavigationLink, 'icon'> | undefined
  /** The addresses of those who can help. */
  ask?: readonly string[]
}

/** A message in place of what was asked for, among the console's own pages. */
export function messageContent(name: MessageName, locale: Locale, ways: MessageWays = {}) {
  return message(name, locale, ways) satisfies PageContent
}

/** Each on a line of its own, below the sentence that says what to ask. */
export const linesToAsk = (addresses: readonly string[]): Markup =>
  html`${addresses.map((address) => html`<br><a href="${mailHref(address)}">${address}</a>`)}`

function message(name: MessageName, { texts: { console: words } }: Locale, { list, ask = [] }: MessageWays) {
  const { title, text } = words.messages[name]
  const isStrangers = name === 'signedOut' || name === 'gone'
  const way = isStrangers
    ? { href: '/sign-in', text: words.signingIn.title }
    : list
      ? { href: list.href, text: filled(words.backTo, { page: list.text }) }
      : { href: '/', text: words.toConsole }
  const body = html`<p>${text}${linesToAsk(ask)}</p><p class="do"><a class="button${name === 'gone' ? null : ' main'}" href="${way.href}">${way.text}</a></p>`
  return { title, body, status: statuses[name] }
}

/** The same alone, for whoever has not signed in. */
export function messagePage(
  name: MessageName,
  locale: Locale,
  { headers = {}, ask = [] }: Pick<MessageWays, 'ask'> & { headers?: Record<string, string> } = {},
): Response {
  const { title, body, status } = message(name, locale, { ask })
  const alone = html`<h1>${title}</h1>${body}`
  return pageAnswer(bareShell({ title, body: alone, language: locale.language }), status, headers)
}
