import { html, type Markup } from '../../../lib/html.ts'
import type { OperatorError } from '../../../lib/operator-error.ts'
import { siteFaultsOf } from '../../../operations/upload/apply-upload.ts'
import { faultLine } from '../../look/notice.ts'
import { inPages, operatorMessage } from '../../look/operator-message.ts'
import { FormRefusal, refusalStatus } from '../form-refusal.ts'
import type { PageCall, PageContent } from '../page.ts'
import { faultsPart } from './faults-part.ts'
import { uploadForm } from './upload-form.ts'

/** Why a folder was not accepted or published: as text for the script that sends a dropped folder, otherwise as the page. */
export function publishRefused(call: PageCall, why: OperatorError): PageContent | Response {
  if (call.request.headers.get('accept') === 'text/plain')
    return new Response(inPages(why.message), { status: refusalStatus(why) })
  return { title: 'Not published', body: refusedPart(call, why) }
}

function refusedPart({ url: { pathname }, fields, caller }: PageCall, why: OperatorError): Markup {
  const faults = siteFaultsOf(why)
  if (fields.has('upload') && faults === null && !(why instanceof FormRefusal)) {
    const plan = `${pathname}?upload=${fields.get('upload') ?? ''}${fields.get('prune') === '1' ? '&prune=1' : ''}`
    return html`${faultLine(operatorMessage(why.message, caller))}<p><a class="button" href="${plan}">Show the plan again</a></p>`
  }
  const reason = faults === null ? faultLine(operatorMessage(why.message, caller)) : faultsPart(faults, '')
  return html`${reason}${uploadForm(pathname)}`
}
