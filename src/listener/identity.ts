import { identityCookieHeader } from '../account/identity-cookie.ts'
import type { Visit } from '../capture/visit.ts'
import type { HeaderRecord } from './answers.ts'
import type { ListenerParts } from './listener-parts.ts'

/** The cookie that makes the browser remember the device; `null` when the visitor came with a valid one. */
export function newIdentityCookie(visit: Visit, deviceId: string, { directory, clock }: ListenerParts): string | null {
  if (visit.deviceId !== null) return null
  const { account, secure } = visit
  return identityCookieHeader(deviceId, {
    accountId: account.id,
    secure,
    keys: directory.signingKeys,
    now: clock.now(),
  })
}

const none: HeaderRecord = {}

export const setCookie = (cookie: string | null): HeaderRecord => (cookie === null ? none : { 'set-cookie': cookie })
