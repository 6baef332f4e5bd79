import { captureEvents } from '../../capture/event.ts'
import { json } from '../answers.ts'
import type { SiteArrival } from '../arrival.ts'
import { corsHeaders } from '../cors.ts'
import { newIdentityCookie, setCookie } from '../identity.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { visitOf } from '../visit.ts'
import { answeringRefusals } from './capture-route.ts'

/** `POST /_svc/e` */
export function eventRoute(parts: ListenerParts) {
  return (arrival: SiteArrival): Promise<Response> => {
    const visit = visitOf(arrival, parts)
    return answeringRefusals(parts, { endpoint: 'event', visit }, async () => {
      const { accepted, deviceId } = await captureEvents(visit, parts)
      const headers = { ...corsHeaders(visit.request), ...setCookie(newIdentityCookie(visit, deviceId, parts)) }
      return json(`{"status":"accepted","accepted":${accepted}}`, 202, headers)
    })
  }
}
