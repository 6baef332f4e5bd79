import { allowedOrigin } from '../capture/checks/allowed-origin.ts'
import type { Refusal } from '../capture/refusal.ts'
import type { SiteRequest } from '../capture/site-request.ts'
import { bare, type HeaderRecord } from './answers.ts'

const none: HeaderRecord = {}

/**
 * CORS headers for an answer of a capture path after check 1: the allowed origin echoed exactly, with credentials. Never `*`.
 */
export function corsHeaders(origin: string | null): HeaderRecord {
  if (origin === null) return none
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Retry-After',
    vary: 'Origin',
  }
}

/** CORS headers for a capture path's refusal: none for a refused origin, so that its browser shows nothing of the answer. */
export const corsHeadersOfRefusal = ({ check }: Refusal, origin: string | null): HeaderRecord =>
  check === 'origin' ? none : corsHeaders(origin)

/** `OPTIONS` on both capture paths: 204 for an allowed origin. @throws Refusal for any other */
export function preflight(asked: SiteRequest): Response {
  const origin = allowedOrigin(asked)
  if (origin === null) return bare(204, { allow: 'POST, OPTIONS' })
  return bare(204, {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'Content-Type, X-SVC-Site-Key, X-SVC-Consent',
    'access-control-max-age': '600',
  })
}
