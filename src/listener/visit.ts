import { readIdentityCookie } from '../account/identity-cookie.ts'
import type { Visit } from '../capture/visit.ts'
import type { SiteArrival } from './arrival.ts'
import type { ListenerParts } from './listener-parts.ts'

/** The request for checks and records. */
export function visitOf(arrival: SiteArrival, { directory, verifiedCookies, clock }: ListenerParts): Visit {
  const { request, site, host, ownOrigin, secure, clientAddress } = arrival
  const { account } = site
  const context = { accountId: account.id, secure, keys: directory.signingKeys, now: clock.now() }
  const deviceId = readIdentityCookie(request.headers.get('cookie'), context, verifiedCookies)
  return { request, account, host, ownOrigin, secure, clientAddress, deviceId }
}
