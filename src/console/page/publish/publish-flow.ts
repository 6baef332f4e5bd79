import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { assertKnown } from '../../../lib/revision.ts'
import { type AppliedUpload, applyUpload } from '../../../operations/upload/apply-upload.ts'
import { accountState, planUpload } from '../../../operations/upload/plan-upload.ts'
import { folderPublished } from '../../audit/changes.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote, faultLine } from '../../look/notice.ts'
import { publishingAs } from '../../publisher.ts'
import type { WaitingUpload } from '../../upload/waiting-uploads.ts'
import { isFormWithFiles } from '../act-on-page.ts'
import { FormRefusal } from '../form-refusal.ts'
import type { AccountPageCall, Forms, PageAct, PageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { faultsPart } from './faults-part.ts'
import { planPart } from './plan-part.ts'
import { publishRefused } from './publish-refused.ts'
import { receiveUpload } from './receive-upload.ts'
import { shownOnce } from './shown-once.ts'
import { uploadForm } from './upload-form.ts'

/** Where a folder is published: to an account, or to the box as a new account. */
type PublishCall = PageCall & { account?: AccountPageCall['account'] }

/** The handle; `null`: a new account. */
const handleOf = ({ account }: PublishCall): string | null => account?.handle ?? null
const holderOf = (call: PublishCall) => ({ userId: call.caller.userId, account: handleOf(call) })

const gone = 'This upload is gone: it was published, or ten minutes have passed. Choose the folder again.'

const publishedAlready = 'This upload is published already. To publish something else, choose a folder.'

/** The form, or with `?upload=ID` the plan of the upload. */
export async function showPublish(call: PublishCall, box: ConsoleBox): Promise<Pick<PageContent, 'body' | 'status'>> {
  const { url } = call
  const id = url.searchParams.get('upload')
  if (id === null) return { body: uploadForm(url.pathname) }
  if (box.waitingUploads.isPublished(id, holderOf(call)))
    return { body: html`${doneNote(publishedAlready)}${uploadForm(url.pathname)}` }
  const shown = await box.waitingUploads.use(id, holderOf(call), (found) => showPlan(call, { id, found }, box))
  return shown ?? { status: 410, body: html`${faultLine(gone)}${uploadForm(url.pathname)}` }
}

interface Waiting {
  id: string
  found: WaitingUpload
}

async function showPlan({ url, caller, account }: PublishCall, { id, found }: Waiting, box: ConsoleBox) {
  const prune = url.searchParams.get('prune') === '1'
  const planned = await planUpload(box, { ...found, prune, isHere: true, ...publishingAs(caller, account?.id ?? null) })
  if (planned.faults !== null)
    return { status: 422, body: html`${faultsPart(planned.faults, planned.siteToml)}${uploadForm(url.pathname)}` }
  const { plan } = planned
  const state = await accountState(box, plan.account)
  const timeZone = account?.settings.timezone ?? 'UTC'
  return { body: html`${planPart(plan, timeZone)}${decision(url.pathname, { id, state, prune, plan })}` }
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
  const words =
    plan.changes.length === 0 ? 'Publish without changes' : `Publish ${plural(plan.changes.length, 'change')}`
  return html`<form method="post" action="${path}"><input type="hidden" name="upload" value="${id}"><input type="hidden" name="state" value="${state}">
<input type="hidden" name="prune" value="${prune ? '1' : ''}"><p class="do">${plan.notAllowed === null ? html`<button>${words}</button> ` : null}<a href="${path}">Choose another folder</a>${more}</p></form>`
}

const upload: PageAct<PublishCall> = {
  run: async (call, box) => ({
    answer: seeOther(`${call.url.pathname}?upload=${await receiveUpload(call, handleOf(call), box)}`),
  }),
}

/** Publishes exactly what the plan shows, once: a second click or tab gets the same answer. */
const publish: PageAct<PublishCall> = {
  noted: { action: 'account.apply', subject: (call) => handleOf(call) ?? '' },
  async run(call, box) {
    const { caller, fields } = call
    const prune = fields.get('prune') === '1'
    const state = fields.get('state') ?? ''
    const publishing = publishingAs(caller, call.account?.id ?? null)
    const work = ({ dir, secrets, account }: WaitingUpload) => {
      const wanted = { dir, secrets, account, prune, dryRun: false, isHere: true, ...publishing }
      return applyUpload(box, { ...wanted, onLocked: (handle) => refuseChanged(handle, state, box) })
    }
    const plan = `${prune} ${state}`
    const published = await box.waitingUploads.publish(fields.get('upload') ?? '', { of: holderOf(call), plan, work })
    if (published === null) throw new FormRefusal(gone, 410)
    if (published === 'otherwise') throw new FormRefusal(publishedAlready, 410)
    const { applied, isRepeat } = published
    return {
      answer: { title: 'Published', body: publishedPart(applied) },
      ...(await folderPublished(applied, box)),
      isRepeat,
    }
  },
}

const refuseChanged = async (handle: string, state: string, box: ConsoleBox): Promise<void> =>
  assertKnown(
    [state],
    await accountState(box, handle),
    'The account has changed since this plan was made. Nothing was published.',
  )

function publishedPart(applied: AppliedUpload): Markup {
  const { account, changes } = applied
  return html`${doneNote(html`<p><strong>Published.</strong> ${plural(changes.length, 'change')} in ${account}; visitors see it now.</p>${shownOnce(applied)}`)}
<p><a class="button" href="/a/${account}/pages">See its pages</a></p>`
}

/** The forms: one uploads a folder, the other publishes it. */
export const publishForms: Forms<PublishCall> = {
  takesFiles: true,
  chosen: ({ request }) => (isFormWithFiles(request) ? upload : publish),
  refused: async (call, _, why) => publishRefused(call, why),
}
