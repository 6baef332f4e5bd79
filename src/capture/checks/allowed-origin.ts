import { Refusal } from '../refusal.ts'
import type { SiteRequest } from '../site-request.ts'

/**
 * Check 1 of both capture paths: same-origin, allowlisted, or no `Origin` at all (spec, CORS behaviour).
 *
 * @returns the posting origin; `null` when the request names none.
 */
export function allowedOrigin(asked: SiteRequest): string | null {
  const origin = asked.request.headers.get('origin')
  if (isOriginAllowed(origin, asked)) return origin
  throw new Refusal('origin')
}

export const isOriginAllowed = (
  origin: string | null,
  { account, ownOrigin }: Pick<SiteRequest, 'account' | 'ownOrigin'>,
): boolean => origin === null || origin === ownOrigin || account.originAllowlist.allows(origin)
