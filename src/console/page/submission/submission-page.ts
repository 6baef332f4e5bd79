import { html, type Markup } from '../../../lib/html.ts'
import { readMailAddress } from '../../../lib/mail-address.ts'
import { deliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { showSubmission } from '../../../operations/submission/show-submission.ts'
import { wayToSubmission } from '../../../operations/submission/way-to-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { newState } from '../../inbox/inbox-state.ts'
import { inPages } from '../../look/operator-message.ts'
import { captured } from '../captured.ts'
import { deliveryState } from '../delivery/deliveries-page.ts'
import { wayList } from '../known-entry.ts'
import { may } from '../may.ts'
import { type AccountPage, type AccountPageCall, actsBy } from '../page.ts'
import { seesStates } from './inbox-query.ts'
import { maskedNote } from './masked-note.ts'
import { submissionActs } from './submission-acts.ts'
import { fieldsTable, receiptTable } from './submission-receipt.ts'
import { notesPart, stateLine } from './submission-work.ts'
import { summaryOf } from './summary.ts'

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

/** The submission's deliveries with their state. */
function deliveriesPart({ account }: AccountPageCall, deliveries: Deliveries): Markup | null {
  if (deliveries.length === 0) return null
  const rows = deliveries.map(deliveryJson).map((delivery) => {
    const { id, destination, kind, state, lastError } = delivery
    const why = lastError === null || state === 'delivered' ? null : html`<br>${captured(inPages(lastError))}`
    return html`<li><a href="/a/${account.handle}/deliveries/${id}">${destination}</a> <span class="soft">${kind}</span> ${deliveryState(delivery, account.settings.timezone)}${why}</li>`
  })
  return html`<h2>Deliveries</h2><ul class="plain">${rows}</ul><p class="hint"><a href="/a/${account.handle}/deliveries">All deliveries</a></p>`
}
