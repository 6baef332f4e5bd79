import { type AcceptedSubmission, captureForm } from '../../capture/form.ts'
import type { AcceptedAnswers } from '../accepted-answers.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { visitOf } from '../visit.ts'
import { refusedCapture } from './refused-capture.ts'

/** `POST /_svc/f/<form_short_id>` */
export function formRoute(parts: ListenerParts, answers: AcceptedAnswers) {
  return async (arrival: SiteArrival, params: Record<string, string>): Promise<Response> => {
    const visit = visitOf(arrival, parts)
    try {
      const accepted = await captureForm(visit, params.form ?? '', parts)
      return answers.answer(visit.request, { body: acceptedJson(accepted), status: 200, cookie: null })
    } catch (error) {
      return refusedCapture(error, { endpoint: 'form', visit }, parts)
    }
  }
}

/** The id is ours and needs no escaping. */
function acceptedJson({ submissionId, redirectUrl }: AcceptedSubmission): string {
  const redirect = redirectUrl === null ? '' : `,"redirectUrl":${JSON.stringify(redirectUrl)}`
  return `{"status":"accepted","submissionId":"${submissionId}"${redirect}}`
}
