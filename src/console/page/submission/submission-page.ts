import { html, type Markup } from '../../../lib/html.ts'
import { newId } from '../../../lib/id.ts'
import { readMailAddress } from '../../../lib/mail-address.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { deliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import { servedPage } from '../../../operations/submission/served-page.ts'
import { showSubmission } from '../../../operations/submission/show-submission.ts'
import { wayToSubmission } from '../../../operations/submission/way-to-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { actorOf } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { newState } from '../../inbox/inbox-state.ts'
import { noteCharactersMax, notesMax } from '../../inbox/notes.ts'
import { inPages } from '../../look/operator-message.ts'
import { actForm } from '../act-form.ts'
import { captured } from '../captured.ts'
import { deliveryState } from '../delivery/deliveries-page.ts'
import { FormRefusal } from '../form-refusal.ts'
import { may } from '../may.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageAct } from '../page.ts'
import { wayList } from '../records.ts'
import { seesStates } from './inbox-filters.ts'
import { setsState } from './inbox-page.ts'
import { maskedNote, summaryOf } from './inbox-rows.ts'
import { fieldsTable, notesPart, receiptTable, stateLine } from './submission-parts.ts'

const ofPage = ({ params }: AccountPageCall): string => params.submission ?? ''
const here = ({ url }: AccountPageCall): string => url.pathname
/** Back to the list, to the next submission. */
const toList = ({ account }: AccountPageCall): string => `/a/${account.handle}`

const note: PageAct<AccountPageCall> = {
  noted: { action: 'submission.note', subject: ofPage },
  async run(call, box) {
    const text = (call.fields.get('text') ?? '').replaceAll('\r\n', '\n').trim()
    if (text === '' || text.length > noteCharactersMax)
      throw new FormRefusal(`A note must have 1 to ${noteCharactersMax} characters. Go back and change it.`)
    const written = { id: newId(), at: box.clock.now(), by: actorOf(call.caller), text }
    const outcome = await box.notes.add(call.account.id, ofPage(call), written)
    if (outcome === 'unknown') throw new NotThere('There is no such submission.')
    if (outcome === 'full') throw new OperatorError(`A submission can have ${notesMax} notes. Remove one first.`)
    return { notice: { text: 'Saved the note.', place: 'notes' } }
  },
}

const removeNote: PageAct<AccountPageCall> = {
  noted: { action: 'submission.note.remove', subject: ofPage },
  async run(call, box) {
    if (!(await box.notes.remove(call.account.id, ofPage(call), call.fields.get('note') ?? '')))
      throw new NotThere('There is no such note.')
    return { notice: { text: 'Removed the note.', place: 'notes' } }
  },
}

const release = actForm(releaseSubmission, {
  input: (call) => ({ submission: ofPage(call) }),
  shown: () => ({ notice: 'Released. From now on it counts as a lead.' }),
})

/** Not in the audit log: everybody who reads leads does it all day. */
const see: PageAct<AccountPageCall> = {
  async run(call, { inboxStates, clock }) {
    await inboxStates.see(call.account.id, ofPage(call), { at: clock.now(), by: actorOf(call.caller) })
    return { notice: 'Marked as seen.' }
  },
}

const submissionActs: Record<string, PageAct<AccountPageCall>> = {
  see,
  done: setsState('done', { submission: ofPage, to: toList }),
  seen: setsState('seen', { submission: ofPage, to: here }),
  new: setsState('new', { submission: ofPage, to: toList }),
  note,
  'remove-note': removeNote,
  release,
}

const wayMax = 50

/** `/a/ACCOUNT/s/SUBMISSION`: one submission with its state, deliveries and receipt. The script of the page makes a new submission seen. */
export const submissionPage: AccountPage = {
  of: 'account',
  path: '/a/:account/s/:submission',
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const receipt = await showSubmission(box, asked(call), () => {})
    const record = call.view === 'masked' ? maskedSubmission(receipt.record) : receipt.record
    const { submissionId: id } = record
    return {
      title: `From ${summaryOf(record).who}`,
      body: html`${seesStates(call) ? await stateOf(call, box, record) : maskedNote(call)}${quarantineNote(call, record)}${fieldsTable(receipt, record)}${seesStates(call) ? await workOn(call, box, id) : null}<h2>Receipt</h2>${receiptTable(call, receipt, record)}<p class="more"><a href="/a/${call.account.handle}">All leads</a></p>`,
    }
  },
  forms: { scope: 'release', chosen: actsBy('do', submissionActs) },
}

const asked = ({ account, params }: AccountPageCall) => ({ account: account.handle, id: params.submission ?? '' })

async function stateOf(
  call: AccountPageCall,
  { inboxStates }: ConsoleBox,
  { submissionId: id, identity, status }: SubmissionRecord,
): Promise<Markup> {
  const states = await inboxStates.of(call.account.id, [id])
  const mailTo = status === 'accepted' && identity.email !== null ? readMailAddress(identity.email) : null
  return stateLine(call, states.get(id) ?? newState, mailTo)
}

/** For users who work with the account: notes, deliveries, and the visits that led to the form. */
async function workOn(call: AccountPageCall, box: ConsoleBox, id: string): Promise<Markup> {
  const notes = await box.notes.of(call.account.id, id)
  const deliveries = await box.deliveries.ofSubmission(call.account.id, id)
  const { records, isCut } = await wayToSubmission(box, { ...asked(call), recordsMax: wayMax }, () => {})
  return html`${notesPart(call, notes)}${deliveriesPart(call, deliveries)}<h2>Before the form</h2>${isCut ? html`<p class="hint">Only the latest ${wayMax} steps are shown.</p>` : null}${wayList(call, records)}`
}

const reasons = {
  honeypot: 'A hidden field was filled in, as robots do.',
  bot_check: 'The sender did not pass the bot check.',
}

function quarantineNote(call: AccountPageCall, { status, refusedFor }: SubmissionRecord): Markup | null {
  if (status !== 'refused' || refusedFor === null) return null
  const release = may(call, 'release')
    ? html`<form method="post"><input type="hidden" name="do" value="release"><p class="do"><button>Release: a person sent this</button></p></form>`
    : null
  return html`<div class="note"><p><strong>In quarantine.</strong> ${reasons[refusedFor]} It is not counted.</p>${release}</div>`
}

type Deliveries = Awaited<ReturnType<ConsoleBox['deliveries']['ofSubmission']>>

function deliveriesPart({ account }: AccountPageCall, deliveries: Deliveries): Markup | null {
  if (deliveries.length === 0) return null
  const rows = deliveries.map(deliveryJson).map((delivery) => {
    const { id, destination, kind, state, lastError } = delivery
    const why = lastError === null || state === 'delivered' ? null : html`<br>${captured(inPages(lastError))}`
    return html`<li><a href="/a/${account.handle}/deliveries/${id}">${destination}</a> <span class="soft">${kind}</span> ${deliveryState(delivery, account.settings.timezone)}${why}</li>`
  })
  return html`<h2>Deliveries</h2><ul class="plain">${rows}</ul><p class="hint"><a href="/a/${account.handle}/deliveries">All deliveries</a></p>`
}

/**
 * `/a/ACCOUNT/s/SUBMISSION/page`: the landing page as it was served to the sender of the submission. It is always a download,
 * never a page of the console: its markup is foreign and would run in the console's origin.
 */
export const shownPage: AccountPage = {
  of: 'account',
  path: '/a/:account/s/:submission/page',
  scope: 'read',
  clients: 'masked',
  async show({ account, params }, box) {
    const asked = { account: account.handle, id: params.submission ?? '' }
    const { record } = await showSubmission(box, asked, () => {})
    const bytes = await servedPage(box, record)
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${record.page?.slug ?? 'page'}-${record.receivedAt.slice(0, 10)}.html"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  },
}
