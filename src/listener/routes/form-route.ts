import { type AcceptedSubmission, captureForm } from '../../capture/form.ts'
import type { AcceptedAnswers } from '../accepted-answers.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { siteRequestOf } from '../site-request.ts'
import { refusedCapture } from './refused-capture.ts'

/** `POST /_svc/f/<form_short_id>` */
export function formRoute(parts: ListenerParts, answers: AcceptedAnswers) {
  return async (arrival: SiteArrival, params: Record<string, string>): Promise<Response> => {
    const asked = siteRequestOf(arrival, parts)
    try {
      const accepted = await captureForm(asked, params.form ?? '', parts)
      return answers.answer(asked.request, { body: acceptedJson(accepted), status: 200, cookie: null })
    } catch (error) {
      return refusedCapture(error, { endpoint: 'form', asked }, parts)
    }
  }
}

/** The id is ours and needs no escaping. */
function acceptedJson({ submissionId, redirectUrl }: AcceptedSubmission): string {
  const redirect = redirectUrl === null ? '' : `,"redirectUrl":${JSON.stringify(redirectUrl)}`
  return `{"status":"accepted","submissionId":"${submissionId}"${redirect}}`
}
