import { readIdentityCookie } from '../account/identity-cookie.ts'
import type { Visit } from '../capture/visit.ts'
import type { SiteArrival } from './arrival.ts'
import type { ListenerParts } from './listener-parts.ts'

/** The request as the checks and the records see it. */
export function visitOf(arrival: SiteArrival, { directory, clock }: ListenerParts): Visit {
  const { request, site, host, ownOrigin, secure, clientAddress } = arrival
  const deviceId = readIdentityCookie(request.headers.get('cookie'), {
    accountId: site.account.id,
    secure,
    keys: directory.signingKeys,
    now: clock.now(),
  })
  return { request, account: site.account, host, ownOrigin, secure, clientAddress, deviceId }
}
