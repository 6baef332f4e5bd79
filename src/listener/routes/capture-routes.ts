import { allowedOrigin } from '../../capture/checks/allowed-origin.ts'
import { captureEvents } from '../../capture/event.ts'
import { captureFile } from '../../capture/file/upload.ts'
import { type AcceptedSubmission, captureForm } from '../../capture/form.ts'
import { Refusal } from '../../capture/refusal.ts'
import type { RefusingEndpoint } from '../../capture/refusal-log.ts'
import type { SiteRequest } from '../../capture/site-request.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import {
  bare,
  type HeaderRecord,
  jsonHeaders,
  methodNotAllowed,
  refusalAnswer,
  SharedHeaders,
  unavailableAnswer,
} from '../answer/answers.ts'
import { newIdentityCookie, type SiteArrival, siteRequestOf } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'

/** `POST /_svc/f/<form_short_id>` */
export function formRoute(parts: ListenerParts, answers: AcceptedAnswers) {
  return async (arrival: SiteArrival, params: Record<string, string>): Promise<Response> => {
    const asked = siteRequestOf(arrival, parts)
    try {
      const accepted = await captureForm(asked, params.form ?? '', parts)
      return answers.answer(asked.request, { body: acceptedJson(accepted), status: 200, cookie: null })
    } catch (error) {
      return refusedCapture(error, { endpoint: 'form', asked }, parts)
    }
  }
}

/** The id is ours and needs no escaping. */
function acceptedJson({ submissionId, redirectUrl }: AcceptedSubmission): string {
  const redirect = redirectUrl === null ? '' : `,"redirectUrl":${JSON.stringify(redirectUrl)}`
  return `{"status":"accepted","submissionId":"${submissionId}"${redirect}}`
}

/** `POST /_svc/e` */
export function eventRoute(parts: ListenerParts, answers: AcceptedAnswers) {
  return async (arrival: SiteArrival): Promise<Response> => {
    const asked = siteRequestOf(arrival, parts)
    try {
      const { accepted, deviceId } = await captureEvents(asked, parts)
      const body = `{"status":"accepted","accepted":${accepted}}`
      return answers.answer(asked.request, { body, status: 202, cookie: newIdentityCookie(asked, deviceId, parts) })
    } catch (error) {
      return refusedCapture(error, { endpoint: 'event', asked }, parts)
    }
  }
}

/** What tells a form's id from the token of a link by which a visitor has no more mail, which has the same path. */
export const isFormId = (id: string | undefined): boolean => id !== undefined && /^[a-z0-9]{8}$/.test(id)

/** A visitor on a slow line may pause as long. */
const uploadPauseSeconds = 120

/** `POST /_svc/u/<form_short_id>?field=…` */
export function uploadRoute(parts: ListenerParts, answers: AcceptedAnswers) {
  return async (arrival: SiteArrival, { id: formId = '' }: Record<string, string>): Promise<Response> => {
    const asked = siteRequestOf(arrival, parts)
    const { request, server } = arrival
    try {
      if (request.method === 'OPTIONS') return preflight(asked, 'Content-Type, X-SVC-File-Name, X-SVC-Bot-Check')
      if (request.method !== 'POST') return methodNotAllowed('POST, OPTIONS')
      const field = new URL(request.url).searchParams.get('field') ?? ''
      const name = decoded(request.headers.get('x-svc-file-name') ?? '')
      const check = request.headers.get('x-svc-bot-check')
      const onProgress = () => server?.timeout(request, uploadPauseSeconds)
      const accepted = await captureFile(asked, { formId, field, name, check, onProgress }, parts)
      const body = JSON.stringify({ status: 'accepted', ...accepted })
      return answers.answer(request, { body, status: 200, cookie: null })
    } catch (error) {
      return refusedCapture(error, { endpoint: 'upload', asked }, parts)
    }
  }
}

/** Headers hold ASCII alone, so a name comes percent-encoded. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** `OPTIONS` on a capture path. */
export function preflightRoute(parts: ListenerParts, endpoint: 'form' | 'event') {
  return (arrival: SiteArrival): Response => {
    const asked = siteRequestOf(arrival, parts)
    try {
      return preflight(asked)
    } catch (error) {
      return refusedCapture(error, { endpoint, asked }, parts)
    }
  }
}

/**
 * Answers a capture that threw, and counts it, so that an operator sees why nothing arrives.
 *
 * @throws the error itself when it is neither a refusal nor a storage failure, which means a bug
 */
function refusedCapture(
  error: unknown,
  { endpoint, asked }: { endpoint: RefusingEndpoint; asked: SiteRequest },
  { refusals }: ListenerParts,
): Response {
  const { request, account } = asked
  const origin = request.headers.get('origin')
  if (error instanceof Refusal) {
    refusals.add(account.id, { endpoint, check: error.check, origin })
    return refusalAnswer(error, corsHeadersOfRefusal(error, origin))
  }
  if (error instanceof LedgerUnavailable) {
    refusals.add(account.id, { endpoint, check: 'storage', origin })
    return unavailableAnswer(corsHeaders(origin))
  }
  throw error
}

const noOrigin = ''

/** Answers to captures. Their headers depend only on the origin. */
export class AcceptedAnswers {
  private readonly headers = new SharedHeaders((origin) => ({
    ...jsonHeaders,
    ...corsHeaders(origin === noOrigin ? null : origin),
  }))

  /** @param cookie this answer's `Set-Cookie`; `null`: none */
  answer(
    request: Request,
    { body, status, cookie }: { body: string; status: 200 | 202; cookie: string | null },
  ): Response {
    const origin = request.headers.get('origin') ?? noOrigin
    return new Response(body, { status, headers: this.headers.of(origin, cookie) })
  }
}

const none: HeaderRecord = {}

/**
 * CORS headers for an answer of a capture path after check 1: the allowed origin echoed exactly, with credentials. Never `*`.
 */
function corsHeaders(origin: string | null): HeaderRecord {
  if (origin === null) return none
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Retry-After',
    vary: 'Origin',
  }
}

/** CORS headers for a capture path's refusal: none for a refused origin, so that its browser shows nothing of the answer. */
const corsHeadersOfRefusal = ({ check }: Refusal, origin: string | null): HeaderRecord =>
  check === 'origin' ? none : corsHeaders(origin)

/** `OPTIONS` on a capture path: 204 for an allowed origin. @throws Refusal for any other */
function preflight(asked: SiteRequest, headers = 'Content-Type, X-SVC-Site-Key, X-SVC-Consent'): Response {
  const origin = allowedOrigin(asked)
  if (origin === null) return bare(204, { allow: 'POST, OPTIONS' })
  return bare(204, {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': headers,
    'access-control-max-age': '600',
  })
}
