import { captureEvents } from '../../capture/event.ts'
import type { AcceptedAnswers } from '../accepted-answers.ts'
import type { SiteArrival } from '../arrival.ts'
import { newIdentityCookie } from '../identity.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { siteRequestOf } from '../site-request.ts'
import { refusedCapture } from './refused-capture.ts'

/** `POST /_svc/e` */
export function eventRoute(parts: ListenerParts, answers: AcceptedAnswers) {
  return async (arrival: SiteArrival): Promise<Response> => {
    const asked = siteRequestOf(arrival, parts)
    try {
      const { accepted, deviceId } = await captureEvents(asked, parts)
      const body = `{"status":"accepted","accepted":${accepted}}`
      return answers.answer(asked.request, { body, status: 202, cookie: newIdentityCookie(asked, deviceId, parts) })
    } catch (error) {
      return refusedCapture(error, { endpoint: 'event', asked }, parts)
    }
  }
}
