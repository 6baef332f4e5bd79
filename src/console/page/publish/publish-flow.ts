import { html, type Markup } from '../../../lib/html.ts'
import { ChangedMeanwhile } from '../../../lib/operator-error.ts'
import { plural } from '../../../lib/quantities.ts'
import { type AppliedUpload, applyUpload, siteFaultsOf } from '../../../operations/upload/apply-upload.ts'
import { accountState, planUpload } from '../../../operations/upload/plan-upload.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { publisherOf } from '../../publisher.ts'
import type { WaitingUpload } from '../../upload/waiting-uploads.ts'
import { formFields } from '../form-fields.ts'
import type { PageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { faultsPart } from './faults-part.ts'
import { planPart } from './plan-part.ts'
import { isUpload, receiveUpload } from './receive-upload.ts'
import { shownOnce } from './shown-once.ts'
import { uploadForm } from './upload-form.ts'

/** Where a folder is published: an account, or the box, which gets a new one. */
export interface PublishPlace {
  /** The handle; `null`: a new account. */
  account: string | null
  timeZone: string
  /** Called once it is published. */
  note(handle: string): Promise<void>
}

const gone =
  'This upload is held no longer: after ten minutes, or once it is published, it goes. Choose the folder again.'

/** The form, or with `?upload=ID` the plan of what was uploaded. */
export async function showPublish(call: PageCall, place: PublishPlace, box: ConsoleBox): Promise<Markup> {
  const { url, caller } = call
  const id = url.searchParams.get('upload')
  if (id === null) return uploadForm(url.pathname)
  const { account } = place
  const shown = await box.waitingUploads.use(id, { userId: caller.userId, account }, (found) =>
    showPlan(call, { id, found, place }, box),
  )
  return shown ?? goneNote(url)
}

const goneNote = ({ pathname }: URL): Markup => html`<p class="fault" role="alert">${gone}</p>${uploadForm(pathname)}`

interface Planning {
  id: string
  found: WaitingUpload
  place: PublishPlace
}

async function showPlan({ url, caller }: PageCall, { id, found, place }: Planning, box: ConsoleBox): Promise<Markup> {
  const prune = url.searchParams.get('prune') === '1'
  const { account } = found
  const by = publisherOf(caller)
  const planned = await planUpload(box, { dir: found.dir, secrets: found.secrets, account, prune, by, isHere: true })
  if (planned.faults !== null) return html`${faultsPart(planned.faults, planned.siteToml)}${uploadForm(url.pathname)}`
  const { plan } = planned
  const state = await accountState(box, plan.account)
  return html`${planPart(plan, place.timeZone)}${decision(url.pathname, { id, state, prune, plan })}`
}

interface Decision {
  id: string
  state: string
  prune: boolean
  plan: AppliedUpload
}

function decision(path: string, { id, state, prune, plan }: Decision): Markup {
  const more =
    plan.left.length > 0 ? html` <a href="${path}?upload=${id}&prune=1">Remove what the folder no longer has</a>` : null
  const words = plan.changes.length === 0 ? 'Keep this folder' : `Publish ${plural(plan.changes.length, 'change')}`
  return html`<form method="post" action="${path}"><input type="hidden" name="upload" value="${id}"><input type="hidden" name="state" value="${state}">
<input type="hidden" name="prune" value="${prune ? '1' : ''}"><p class="do"><button>${words}</button> <a href="${path}">Another folder</a>${more}</p></form>`
}

/** What the forms do: they upload, and they publish exactly what was planned. */
export async function actOnPublish(call: PageCall, place: PublishPlace, box: ConsoleBox): Promise<Response | Markup> {
  const { request, url } = call
  if (isUpload(request)) {
    const received = await receiveUpload(call, place.account, box)
    if ('id' in received) return seeOther(`${url.pathname}?upload=${received.id}`)
    if (request.headers.get('accept') === 'text/plain') return new Response(received.fault, { status: 422 })
    return html`<p class="fault" role="alert">${received.fault}</p>${uploadForm(url.pathname)}`
  }
  const fields = await formFields(request)
  const id = fields.get('upload') ?? ''
  const { account } = place
  const answer = await box.waitingUploads.use(id, { userId: call.caller.userId, account }, (found) =>
    published(call, { id, found, fields, place }, box),
  )
  return answer ?? goneNote(url)
}

interface Publishing extends Planning {
  fields: ReadonlyMap<string, string>
}

async function published(
  { caller, url }: PageCall,
  { id, found, fields, place }: Publishing,
  box: ConsoleBox,
): Promise<Markup> {
  const prune = fields.get('prune') === '1'
  const { dir, secrets, account } = found
  const wanted = { dir, secrets, account, prune, dryRun: false, by: publisherOf(caller), isHere: true }
  try {
    const applied = await applyUpload(box, { ...wanted, onLocked: (handle) => refuseChanged(handle, fields, box) })
    box.waitingUploads.end(id)
    await place.note(applied.account)
    return publishedPart(applied)
  } catch (error) {
    if (error instanceof ChangedMeanwhile)
      return html`<p class="fault" role="alert">${error.message}</p><p><a class="button" href="${url.pathname}?upload=${id}${prune ? '&prune=1' : ''}">Look at the new plan</a></p>`
    const faults = siteFaultsOf(error)
    if (faults === null) throw error
    return html`${faultsPart(faults, '')}${uploadForm(url.pathname)}`
  }
}

async function refuseChanged(handle: string, fields: ReadonlyMap<string, string>, box: ConsoleBox): Promise<void> {
  if ((await accountState(box, handle)) !== fields.get('state'))
    throw new ChangedMeanwhile('The account has changed since this plan was made. Nothing was published.')
}

function publishedPart(applied: AppliedUpload): Markup {
  const { account, changes } = applied
  return html`<div class="note" role="status"><p><strong>Published.</strong> ${plural(changes.length, 'change')} in ${account}; visitors see it now.</p>${shownOnce(applied)}</div>
<p><a class="button" href="/a/${account}/pages">To its pages</a></p>`
}

export type PublishAnswer = Response | PageContent

/** A page around a part; answers that lead elsewhere stay as they are. */
export const titled = (part: Response | Markup, title: string, below: Markup | null = null): PublishAnswer =>
  part instanceof Response ? part : { title, body: html`${part}${below}` }
