import { identityCookieHeader, readIdentityCookie } from '../../account/identity-cookie.ts'
import type { SiteRequest } from '../../capture/site-request.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'

export function siteRequestOf(arrival: SiteArrival, { directory, verifiedCookies, clock }: ListenerParts): SiteRequest {
  const { request, site, host, ownOrigin, secure, clientAddress } = arrival
  const { account } = site
  const context = { accountId: account.id, secure, keys: directory.signingKeys, now: clock.now() }
  const deviceId = readIdentityCookie(request.headers.get('cookie'), context, verifiedCookies)
  return { request, account, host, ownOrigin, secure, clientAddress, deviceId }
}

/** The cookie that makes the browser remember the device; `null` when the visitor came with a valid one. */
export function newIdentityCookie(
  asked: SiteRequest,
  deviceId: string,
  { directory, clock }: ListenerParts,
): string | null {
  if (asked.deviceId !== null) return null
  const { account, secure } = asked
  return identityCookieHeader(deviceId, {
    accountId: account.id,
    secure,
    keys: directory.signingKeys,
    now: clock.now(),
  })
}
