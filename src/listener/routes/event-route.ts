import { captureEvents } from '../../capture/event.ts'
import type { AcceptedAnswers } from '../accepted-answers.ts'
import type { SiteArrival } from '../arrival.ts'
import { newIdentityCookie } from '../identity.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { visitOf } from '../visit.ts'
import { refusedCapture } from './refused-capture.ts'

/** `POST /_svc/e` */
export function eventRoute(parts: ListenerParts, answers: AcceptedAnswers) {
  return async (arrival: SiteArrival): Promise<Response> => {
    const visit = visitOf(arrival, parts)
    try {
      const { accepted, deviceId } = await captureEvents(visit, parts)
      const body = `{"status":"accepted","accepted":${accepted}}`
      return answers.answer(visit.request, { body, status: 202, cookie: newIdentityCookie(visit, deviceId, parts) })
    } catch (error) {
      return refusedCapture(error, { endpoint: 'event', visit }, parts)
    }
  }
}
