import type { UserCaller } from '../access/caller.ts'
import { bodyWithin } from '../api/read-call.ts'
import type { Arrived } from '../arrived.ts'
import type { ConsoleBox } from '../console-box.ts'
import { authenticate } from '../sign-in/authentication.ts'
import type { CeremonyPlace } from '../sign-in/passkeys.ts'
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
