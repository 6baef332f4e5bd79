import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { SubmissionReceipt } from '../../../operations/submission/show-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { instant } from '../../../report/record.ts'
import type { StateOfSubmission } from '../../inbox/inbox-state.ts'
import { type Note, noteCharactersMax } from '../../inbox/notes.ts'
import { doneNote } from '../../look/notice.ts'
import { captured, type Fact, factsTable } from '../captured.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import type { AccountPageCall } from '../page.ts'
import { touchFacts } from '../records.ts'
import { stateWords } from './inbox-filters.ts'

/** The fields that were sent: first those of the form's schema in its order, then undeclared ones. */
export function fieldsTable({ form }: SubmissionReceipt, { fields }: SubmissionRecord): Markup {
  const declared = form === null ? [] : declaredNames(form.form)
  const names = [...new Set([...declared.filter((name) => Object.hasOwn(fields, name)), ...Object.keys(fields)])]
  if (names.length === 0) return html`<p>No field was filled in.</p>`
  return factsTable(names.map((name) => [captured(name), captured(fields[name])]))
}

export function receiptTable(call: AccountPageCall, receipt: SubmissionReceipt, record: SubmissionRecord): Markup {
  const { timezone } = receipt.account
  const time = (iso: string) => localTime(iso, timezone)
  const touches: Fact[] = receipt.isProcessed
    ? touchFacts(record.attribution, timezone)
    : [['Came from', 'not processed yet']]
  return factsTable([
    ['Received', time(record.receivedAt)],
    ...(receipt.releasedAt === null ? [] : ([['Released', time(instant(receipt.releasedAt))]] satisfies Fact[])),
    ...formFacts(receipt, record),
    ['Bot check', botCheckText(record.botCheck)],
    ...touches,
    ['Landing page', pageFact(call, receipt, record)],
    ['Sent from', captured(record.source.origin ?? record.source.host)],
    ...senderFacts(call, record),
    ['Likely duplicate of', duplicateFact(call, record)],
    ['Id', html`<code class="wrap">${record.submissionId}</code>`],
  ])
}

function formFacts(
  { account, form }: SubmissionReceipt,
  { formId, formVersion, consentTextId }: SubmissionRecord,
): Fact[] {
  const consent: Fact = ['Consent text', consentTextId ?? 'none']
  if (form === null) return [['Form', `${formId}, version ${formVersion}, which is no longer stored`], consent]
  const published = localTime(instant(form.publishedAt), account.timezone)
  return [
    ['Form', html`${form.form.name}, version ${formVersion}, published ${published}`],
    ['Form fields', declaredNames(form.form).join(', ') || 'none declared'],
    consent,
  ]
}

const declaredNames = ({ schema: { properties } }: Form): string[] =>
  typeof properties === 'object' && properties !== null ? Object.keys(properties) : []

function pageFact(
  { account }: AccountPageCall,
  { pageKept }: SubmissionReceipt,
  record: SubmissionRecord,
): Markup | string {
  const { page, submissionId } = record
  if (page === null) return 'not on this box'
  const name = captured(`/${page.slug}`)
  if (pageKept !== true) return html`${name}, whose content is no longer stored`
  return html`${name} · <a href="/a/${account.handle}/s/${submissionId}/page" download>Download as it was shown</a>`
}

/** Clients see neither person nor device. */
function senderFacts({ account, view }: AccountPageCall, { personId, source, deviceId }: SubmissionRecord): Fact[] {
  if (view === 'masked') return []
  return [
    [
      'Person',
      personId === null ? 'unknown' : html`<a href="/a/${account.handle}/persons/${personId}">See this person</a>`,
    ],
    ['Address', source.ip ?? 'not stored'],
    ['Browser', captured(source.userAgent ?? 'unknown')],
    ['Device', deviceId === null ? 'unknown' : html`<code class="wrap">${deviceId}</code>`],
  ]
}

const duplicateFact = ({ account }: AccountPageCall, { duplicateOf }: SubmissionRecord): Markup | string =>
  duplicateOf === null
    ? 'none'
    : html`<a href="/a/${account.handle}/s/${duplicateOf}"><code class="wrap">${duplicateOf}</code></a>`

function botCheckText({ required, provider, verified }: SubmissionRecord['botCheck']): string {
  if (!required) return 'not required'
  return verified ? `passed (${provider ?? 'unknown'})` : 'not passed'
}

/**
 * The submission's state, since when and by whom, with buttons for users who may change it.
 *
 * @param mailTo the sender's address; `null`: none that mail could go to
 */
export function stateLine(call: AccountPageCall, { state, at, by }: StateOfSubmission, mailTo: string | null): Markup {
  const since =
    at === null || by === null
      ? null
      : html` <span class="soft">by ${by.label}, ${localTime(instant(at), call.account.settings.timezone)}</span>`
  const buttons = may(call, 'release')
    ? html`${state === 'done' ? button('seen', 'Reopen') : button('done', 'Done')}${state === 'new' ? seeButton : button('new', 'Mark as new')}`
    : null
  return html`<div class="work"><p><span class="mark">${stateWords[state]}</span>${since}</p>${mailTo === null ? null : html`<a class="button" href="${mailHref(mailTo)}">Reply by mail</a>`}${buttons}</div>`
}

/** The address without anything that could add headers to the mail (RFC 6068, section 2). */
const mailHref = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`

const button = (to: string, text: string): Markup =>
  html`<form method="post"><input type="hidden" name="do" value="${to}"><button${to === 'done' ? html` id="mark-done"` : html` class="quiet"`}>${text}</button></form>`

/** The script sends this form as soon as somebody looks at the page: a GET alone changes nothing. */
const seeButton = html`<form method="post" id="see" data-seen="${stateWords.seen}"><input type="hidden" name="do" value="see"><button class="quiet">Mark as seen</button></form>`

export function notesPart(call: AccountPageCall, notes: readonly Note[]): Markup {
  const list = notes.length === 0 ? null : html`<ol class="notes">${notes.map((note) => noteItem(call, note))}</ol>`
  const form = may(call, 'release')
    ? html`<form method="post" class="write"><input type="hidden" name="do" value="note"><label for="note">New note</label><textarea id="note" name="text" rows="3" maxlength="${noteCharactersMax}" required></textarea><p class="do"><button>Save note</button></p></form>`
    : null
  const notice = call.notice?.place === 'notes' ? doneNote(call.notice.text) : null
  return html`<h2 id="notes">Notes</h2>${notice}${list ?? html`<p class="hint">No notes yet. Only you and your colleagues see them.</p>`}${form}`
}

const noteItem = (call: AccountPageCall, { id, at, by, text }: Note): Markup =>
  html`<li><p class="soft">${by.label}, ${localTime(instant(at), call.account.settings.timezone)}</p><p class="text">${text}</p>${
    may(call, 'release')
      ? html`<form method="post"><input type="hidden" name="do" value="remove-note"><input type="hidden" name="note" value="${id}"><button class="quiet" aria-label="Remove the note by ${by.label}">Remove</button></form>`
      : null
  }</li>`
