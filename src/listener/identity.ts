import { identityCookieHeader } from '../account/identity-cookie.ts'
import type { Visit } from '../capture/visit.ts'
import type { HeaderRecord } from './answers.ts'
import type { ListenerParts } from './listener-parts.ts'

const none: HeaderRecord = {}

/** The header that makes the browser remember the device; none when it came with a valid cookie. */
export function setCookie(visit: Visit, deviceId: string, { directory, clock }: ListenerParts): HeaderRecord {
  if (visit.deviceId !== null) return none
  const { account, secure } = visit
  const cookie = { accountId: account.id, secure, keys: directory.signingKeys, now: clock.now() }
  return { 'set-cookie': identityCookieHeader(deviceId, cookie) }
}
