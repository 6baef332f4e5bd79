import { readIdentityCookie } from '../account/identity-cookie.ts'
import type { SiteRequest } from '../capture/site-request.ts'
import type { SiteArrival } from './arrival.ts'
import type { ListenerParts } from './listener-parts.ts'

/** The request for checks and records. */
export function siteRequestOf(arrival: SiteArrival, { directory, verifiedCookies, clock }: ListenerParts): SiteRequest {
  const { request, site, host, ownOrigin, secure, clientAddress } = arrival
  const { account } = site
  const context = { accountId: account.id, secure, keys: directory.signingKeys, now: clock.now() }
  const deviceId = readIdentityCookie(request.headers.get('cookie'), context, verifiedCookies)
  return { request, account, host, ownOrigin, secure, clientAddress, deviceId }
}
