import { captureForm } from '../../capture/form.ts'
import { json } from '../answers.ts'
import type { SiteArrival } from '../arrival.ts'
import { corsHeaders, preflight } from '../cors.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { visitOf } from '../visit.ts'
import { answeringRefusals } from './capture-route.ts'

/** `POST /_svc/f/<form_short_id>` */
export function formRoute(parts: ListenerParts) {
  return (arrival: SiteArrival, params: Record<string, string>): Promise<Response> => {
    const visit = visitOf(arrival, parts)
    return answeringRefusals(parts, { endpoint: 'form', visit }, async () => {
      const { submissionId, redirectUrl } = await captureForm(visit, params.form ?? '', parts)
      const answer = { status: 'accepted', submissionId, ...(redirectUrl === null ? {} : { redirectUrl }) }
      return json(JSON.stringify(answer), 200, corsHeaders(visit.request))
    })
  }
}

/** `OPTIONS` on a capture path. */
export function preflightRoute(parts: ListenerParts, endpoint: 'form' | 'event') {
  return (arrival: SiteArrival): Promise<Response> => {
    const visit = visitOf(arrival, parts)
    return answeringRefusals(parts, { endpoint, visit }, () => preflight(visit))
  }
}
