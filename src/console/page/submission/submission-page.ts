import { isToVisitors } from '../../../account/destination.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { type DeliveryJson, deliveryJson, retryDeliveries } from '../../../operations/delivery/deliveries.ts'
import { obstacleTo } from '../../../operations/delivery/destinations.ts'
import {
  type SubmissionReceipt,
  servedPage,
  showSubmission,
  wayToSubmission,
} from '../../../operations/submission/show-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { actorOf } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { fileAnswer } from '../../file-answer.ts'
import { type InboxState, type Note, newState, noteCharactersMax } from '../../inbox/inbox.ts'
import { addNote, removeNote } from '../../inbox/inbox-acts.ts'
import { leadsScriptPath } from '../../look/files.ts'
import { doneNote, notice } from '../../look/notice.ts'
import { actForm } from '../act-form.ts'
import { destinationTitle, nextTry, reason, stateMark, waitsForMail } from '../delivery/delivery-state.ts'
import { isWaitingForMail, whyNot } from '../delivery/destinations.ts'
import { summaryOf } from '../lead-summary.ts'
import { type AccountPage, type AccountPageCall, actsBy, may, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { touchFacts, wayList } from '../person/person-page.ts'
import { captured, capturedValue, type Fact, factsTable, localTime, untilTime } from '../values.ts'
import { answersPart, declaredNames, pageAddress, shownPageLink, waysToAnswer } from './answers.ts'
import { leadContent, ofLead } from './client-lead.ts'
import { filtersIn, seesStates, stateWords } from './inbox-filters.ts'
import { refuses, releases, setsState } from './inbox-forms.ts'
import { refusalReasons } from './quarantine.ts'

const ofPage = ({ params }: AccountPageCall): string => params.submission ?? ''
const here = ({ url }: AccountPageCall): string => url.pathname + url.search
/** The list, as the address has its filters. */
function toList({ account, url }: AccountPageCall): string {
  const filters = filtersIn(url.searchParams)
  return `/a/${account.handle}${filters.size === 0 ? '' : `?${filters}`}`
}

const note = actForm(addNote, {
  input: (call) => ({
    submission: ofPage(call),
    text: (call.fields.get('text') ?? '').replaceAll('\r\n', '\n').trim(),
  }),
  shown: (_done, call) => ({ answer: seeOther(here(call)), notice: { text: 'Saved the note.', place: 'notes' } }),
})

const noteGone = actForm(removeNote, {
  input: (call) => ({ submission: ofPage(call), note: call.fields.get('note') ?? '' }),
  shown: (_done, call) => ({ answer: seeOther(here(call)), notice: { text: 'Removed the note.', place: 'notes' } }),
})

const retry = actForm(retryDeliveries, {
  input: ({ fields }) => ({ delivery: fields.get('delivery') ?? '', failed: false }),
  shown: (_done, call) => ({ answer: seeOther(here(call)), notice: 'Trying now.' }),
})

/** Not in the audit log: everybody who reads leads does it all day. */
const see: PageAct<AccountPageCall> = {
  async run(call, { inboxStates, clock }) {
    await inboxStates.see(call.account.id, ofPage(call), { at: clock.now(), by: actorOf(call.caller) })
    return { answer: seeOther(here(call)), notice: 'Marked as seen.' }
  },
}

const submissionActs: Record<string, PageAct<AccountPageCall>> = {
  see,
  done: setsState('done', { submission: ofPage, to: toList }),
  seen: setsState('seen', { submission: ofPage, to: here }),
  new: setsState('new', { submission: ofPage, to: toList }),
  note,
  'remove-note': noteGone,
  retry,
  refuse: refuses({ submission: ofPage, to: toList }),
  release: releases({ submission: ofPage, to: here }),
}

const wayMax = 50

/** `/a/ACCOUNT/s/SUBMISSION`: one submission with its state, deliveries and receipt. The script of the page makes a new submission seen. */
export const submissionPage: AccountPage = {
  path: '/a/:account/s/:submission',
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const receipt = await showSubmission(box, asked(call), () => {})
    const { record } = receipt
    const { submissionId: id } = record
    if (!seesStates(call)) return leadContent(call, receipt, await box.submissions.beside(call.account.id, id))
    const sent = (await box.deliveries.ofSubmission(call.account.id, id)).map(deliveryJson)
    return {
      title: `From ${summaryOf(record, receipt.form?.form ?? null).who}`,
      pane: 'lead',
      script: leadsScriptPath,
      back: leadWays(call),
      body: html`${await workPart(call, box, record)}${record.status === 'refused' ? null : undelivered(call, sent, box)}${answersPart(call, record, { form: receipt.form?.form ?? null, more: originFacts(call, receipt) })}${await workOn(call, box, { id, sent })}<details><summary>Receipt</summary>${factsTable(receiptFacts(receipt))}</details>`,
    }
  },
  forms: { scope: 'release', chosen: actsBy('do', submissionActs) },
}

const asked = ({ account, params }: AccountPageCall) => ({ account: account.handle, id: params.submission ?? '' })

/** For users who work with the account: notes, deliveries, and the visits that led to the form. */
async function workOn(
  call: AccountPageCall,
  box: ConsoleBox,
  { id, sent }: { id: string; sent: readonly DeliveryJson[] },
): Promise<Markup> {
  const notes = await box.notes.of(call.account.id, id)
  const { records, isCut } = await wayToSubmission(box, { ...asked(call), recordsMax: wayMax + 1 }, () => {})
  const parts = [notesPart(call, notes), deliveriesPart(call, sent, box)]
  // The last step is the form itself.
  const before = records.slice(0, -1)
  if (before.length === 0) return html`${parts}`
  return html`${parts}<h2>Before the form</h2>${isCut ? html`<p class="hint">Only the latest ${wayMax} steps are shown.</p>` : null}${wayList(call, before)}`
}

function quarantineNote({ status, refusedFor, honeypot }: SubmissionRecord): Markup | null {
  if (status !== 'refused' || refusedFor === null) return null
  const filled = refusedFor === 'honeypot' ? capturedValue(honeypot.value) : ''
  const proof = filled === '' ? null : html` It contains “${captured(filled)}”.`
  return notice(
    'doubtful',
    html`<p><strong>In quarantine.</strong> ${refusalReasons[refusedFor].sentence}${proof} Once you release the submission, it counts.</p>`,
  )
}

/** To the list and, with the script, to the leads beside this one. */
const leadWays = (call: AccountPageCall): Markup =>
  html`<nav class="lead-ways" aria-label="Other leads"><a class="back" id="to-list" href="${toList(call)}">All leads</a><button type="button" class="quiet" data-move="-1" hidden>↑ Newer</button><button type="button" class="quiet" data-move="1" hidden>↓ Older</button></nav>`

/** Above the answers: who of those that work with it has not got it, and what comes of that. */
function undelivered({ account }: AccountPageCall, sent: readonly DeliveryJson[], box: ConsoleBox): Markup | null {
  const failing = sent.filter(
    ({ kind, lastError, state }) => lastError !== null && state !== 'delivered' && !isToVisitors({ kind }),
  )
  if (failing.length === 0) return null
  const each = failing.map(
    (delivery, index) =>
      html`${index === 0 ? 'Not delivered to' : 'To'} ${delivery.destination}: ${isWaitingForMail(delivery, box) ? 'this box sends no mail yet' : outlook(delivery, account.settings.timezone, box.clock.now())}. `,
  )
  return notice('doubtful', html`<p>${each}<a href="#deliveries">See deliveries</a></p>`)
}

function outlook(delivery: DeliveryJson, timezone: string, now: number): Markup | string {
  if (delivery.state === 'failed') return 'given up'
  if (delivery.paused) return 'paused'
  const nextAt = Date.parse(delivery.nextAt ?? '')
  return nextAt > now ? html`trying again ${untilTime(nextAt, timezone, now)}` : 'trying again'
}

function deliveriesPart(call: AccountPageCall, sent: readonly DeliveryJson[], box: ConsoleBox): Markup | null {
  const { account, caller } = call
  if (sent.length === 0) return null
  const rows = sent.map((delivery) => {
    const { id, kind } = delivery
    const why = whyNot(delivery, box, caller)
    return html`<li><a href="/a/${account.handle}/deliveries/${id}">${destinationTitle(delivery.destination, account.forms)}</a> <span class="soft">${kind}</span> ${isWaitingForMail(delivery, box) ? waitsForMail : howFar(call, delivery, box)}${why && html`<br>${reason(why)}`}</li>`
  })
  return html`<h2 id="deliveries">Deliveries</h2><form method="post" id="retry"><input type="hidden" name="do" value="retry"></form><ul class="plain">${rows}</ul><p class="hint"><a href="/a/${account.handle}/deliveries">All deliveries</a></p>`
}

/** Its state, when it is tried next, and for admins the way to do that at once: nothing where no try gets through. */
function howFar(call: AccountPageCall, delivery: DeliveryJson, { config, clock }: ConsoleBox): Markup {
  const { id, destination, lastError, state, paused } = delivery
  const isTried = lastError !== null && state !== 'delivered' && !paused && obstacleTo(delivery, config) === null
  const again = html`<button class="quiet" form="retry" name="delivery" value="${id}">Try again now<span class="unseen"> ${destinationTitle(destination, call.account.forms)}</span></button>`
  return html`${stateMark(delivery)} ${nextTry(delivery, call.account.settings.timezone, clock.now())} ${isTried && may(call, 'admin') ? again : null}`
}

/**
 * `/a/ACCOUNT/s/SUBMISSION/page`: the landing page as it was served to the sender of the submission. It is always a download,
 * never a page of the console: its markup is foreign and would run in the console's origin.
 */
export const shownPage: AccountPage = {
  path: '/a/:account/s/:submission/page',
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const { record } = await showSubmission(box, asked(call), () => {})
    if (!seesStates(call)) ofLead(record)
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

/** `/a/ACCOUNT/s/SUBMISSION/files/FILE`: a file that the visitor sent, always a download. */
export const filePage: AccountPage = {
  path: '/a/:account/s/:submission/files/:file',
  scope: 'read',
  clients: 'masked',
  show: ({ account, params, view }, box) => fileAnswer(box, { account: account.handle, params, view }),
}

/** Where the visitor came from and who they are, as far as it is known. */
function originFacts(call: AccountPageCall, { account, isProcessed, pageKept, record }: SubmissionReceipt): Fact[] {
  const { attribution, personId, duplicateOf } = record
  const { handle } = call.account
  const address = pageAddress(record)
  const shown = pageKept === true ? shownPageLink(call, record) : record.page && 'Its content is no longer stored.'
  const page: Fact[] = address === null ? [] : [['Page', html`${address}${shown && html`<br>${shown}`}`]]
  const touches: Fact[] = isProcessed ? touchFacts(attribution, account.timezone) : [['Came from', 'not processed yet']]
  const person: Fact[] =
    personId === null ? [] : [['Person', html`<a href="/a/${handle}/persons/${personId}">All from this person</a>`]]
  const duplicate: Fact[] =
    duplicateOf === null
      ? []
      : [['Likely duplicate', html`of <a href="/a/${handle}/s/${duplicateOf}">an earlier lead</a>`]]
  return [...page, ...touches, ...person, ...duplicate]
}

/** What proves how it was sent. */
function receiptFacts(receipt: SubmissionReceipt): Fact[] {
  const { record, account, releasedAt } = receipt
  const { source, submissionId, deviceId } = record
  const time = (at: string | number) => localTime(at, account.timezone)
  return [
    ['Received', time(record.receivedAt)],
    ...(releasedAt === null ? [] : ([['Released', time(releasedAt)]] satisfies Fact[])),
    ...formFacts(receipt),
    ['Bot check', botCheckText(record.botCheck)],
    ['Sent from', captured(source.origin ?? source.host)],
    ['IP address', source.ip ?? 'not stored'],
    ['Browser', captured(source.userAgent ?? 'Unknown')],
    ['Submission', html`<code class="wrap">${submissionId}</code>`],
    ['Device', deviceId === null ? 'Unknown' : html`<code class="wrap">${deviceId}</code>`],
  ]
}

function formFacts({ account, form, record }: SubmissionReceipt): Fact[] {
  const { formId, formVersion, consentTextId, confirmedAt } = record
  const confirmed = confirmedAt === null ? 'not yet' : localTime(confirmedAt, account.timezone)
  const isAsked = confirmedAt !== null || (form !== null && form.form.confirm !== null)
  const consent: Fact[] = [
    ['Consent text', consentTextId ?? 'none'],
    ...(isAsked ? ([['Confirmed by mail', confirmed]] satisfies Fact[]) : []),
  ]
  if (form === null) return [['Form', `${formId}, version ${formVersion}, which is no longer stored`], ...consent]
  const published = localTime(form.publishedAt, account.timezone)
  return [
    ['Form', html`${form.form.name}, version ${formVersion}, published ${published}`],
    ['Form fields', declaredNames(form.form).join(', ') || 'none declared'],
    ...consent,
  ]
}

function botCheckText({ required, provider, verified }: SubmissionRecord['botCheck']): string {
  if (!required) return 'not required'
  return verified ? `passed (${provider ?? 'unknown'})` : 'not passed'
}

/** The submission's form, time and state, and what can be done with it: first the answer to whoever sent it. */
async function workPart(call: AccountPageCall, { inboxStates }: ConsoleBox, record: SubmissionRecord): Promise<Markup> {
  const { account } = call
  const { submissionId: id, formId, receivedAt, status } = record
  const { state, at, by } = (await inboxStates.of(account.id, [id])).get(id) ?? newState
  const { timezone } = account.settings
  const isOfOther = by !== null && by.label !== call.caller.email
  const since = at !== null && isOfOther ? html` by ${by.label}, ${localTime(at, timezone)}` : null
  const acts = otherActs(call, { id, state, isRefused: status === 'refused' })
  const form = account.forms.find((known) => known.id === formId)
  const isRefused = status === 'refused'
  const ways = waysToAnswer(record, { call: 'Call', write: 'Reply' })
  const main = isRefused ? button('release', 'Release') : stateButton(state, ways === null ? undefined : 'second')
  return html`<div class="work"><p class="soft"><span>${form?.name ?? formId} · ${localTime(receivedAt, timezone)}</span><span><span class="mark">${stateWords[state]}</span>${since}</span></p>
${quarantineNote(record)}<div class="do answer">${ways}${may(call, 'release') ? main : null}${acts && html`<button type="button" class="second" popovertarget="other">More …</button>`}</div>${acts}</div>`
}

const stateButton = (state: InboxState, look?: 'second'): Markup =>
  state === 'done' ? button('seen', 'Reopen', look) : button('done', 'Done', look)

const button = (to: string, text: string, look?: 'quiet' | 'second'): Markup =>
  html`<form method="post" data-act><input type="hidden" name="do" value="${to}"><button${look === undefined ? null : html` class="${look}"`}>${text}</button></form>`

function otherActs(
  call: AccountPageCall,
  { id, state, isRefused }: { id: string; state: InboxState; isRefused: boolean },
): Markup | null {
  const { handle } = call.account
  const acts = [
    may(call, 'release') && (state === 'new' ? seeButton : button('new', 'Mark as new', 'quiet')),
    may(call, 'release') && !isRefused && button('refuse', 'Refuse', 'quiet'),
    may(call, 'remove') &&
      html`<a href="/a/${handle}/leads/remove?id=${id}">Remove this ${isRefused ? 'submission' : 'lead'} …</a>`,
    may(call, 'erase') && html`<a href="/a/${handle}/s/${id}/erase">Erase whoever sent it …</a>`,
  ].filter((act) => act !== false)
  if (acts.length === 0) return null
  return html`<ul id="other" class="acts-menu" popover>${acts.map((act) => html`<li>${act}</li>`)}</ul>`
}

/** The script sends this form as soon as somebody looks at the page: a GET alone changes nothing. */
const seeButton = html`<form method="post" id="see" data-seen="${stateWords.seen}"><input type="hidden" name="do" value="see"><button class="quiet">Mark as seen</button></form>`

function notesPart(call: AccountPageCall, notes: readonly Note[]): Markup {
  const list = notes.length === 0 ? null : html`<ol class="notes">${notes.map((note) => noteItem(call, note))}</ol>`
  const form = may(call, 'release')
    ? html`<form method="post" class="write"><input type="hidden" name="do" value="note"><label for="note">New note, for you and your colleagues</label><textarea id="note" name="text" rows="3" maxlength="${noteCharactersMax}" required></textarea><p class="do"><button class="second">Save note</button></p></form>`
    : null
  const notice = call.notice?.place === 'notes' ? doneNote(call.notice.text) : null
  return html`<h2 id="notes">Notes</h2>${notice}${list ?? (form === null ? html`<p class="hint">No notes yet.</p>` : null)}${form}`
}

const noteItem = (call: AccountPageCall, { id, at, by, text }: Note): Markup =>
  html`<li><p class="soft">${by.label}, ${localTime(at, call.account.settings.timezone)}</p><p class="text">${text}</p>${
    may(call, 'release')
      ? html`<form method="post"><input type="hidden" name="do" value="remove-note"><input type="hidden" name="note" value="${id}"><button class="quiet" aria-label="Remove the note by ${by.label}">Remove</button></form>`
      : null
  }</li>`
