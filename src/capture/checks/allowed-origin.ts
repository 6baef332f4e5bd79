import { Refusal } from '../refusal.ts'
import type { SiteRequest } from '../site-request.ts'

/**
 * Check 1 of both capture paths: same-origin, allowlisted, or no `Origin` at all (spec, CORS behaviour).
 *
 * @returns the posting origin; `null` when the request names none.
 */
export function allowedOrigin({ request, account, ownOrigin }: SiteRequest): string | null {
  const origin = request.headers.get('origin')
  if (origin === null || origin === ownOrigin || account.originAllowlist.allows(origin)) return origin
  throw new Refusal('origin')
}
