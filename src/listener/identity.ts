import { identityCookieHeader } from '../account/identity-cookie.ts'
import type { SiteRequest } from '../capture/site-request.ts'
import type { ListenerParts } from './listener-parts.ts'

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
