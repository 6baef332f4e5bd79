import { fieldLabel } from '../../../account/field-label.ts'
import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonValue } from '../../../lib/json-value.ts'
import { readMailAddress } from '../../../lib/mail-address.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import { phoneToCall } from '../../../operations/submission/personal-field.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { mask, maskedSubmission } from '../../access/masked.ts'
import type { PageContent } from '../../page-content.ts'
import type { AccountPageCall } from '../page.ts'
import { captured, type Fact, factsTable } from '../values.ts'
import { cameFrom, leadTitle } from './client-leads.ts'

/** What the account's customer may see. @throws NotThere for what is in quarantine */
export function ofLead({ status }: SubmissionRecord): void {
  if (status !== 'accepted') throw new NotThere('There is no such lead.')
}

/** One lead as the account's customer sees it: who asked for what, ways to answer, and what came with it. */
export function leadContent(call: AccountPageCall, whole: SubmissionRecord): PageContent {
  ofLead(whole)
  const { account, locale, view } = call
  const record = view === 'masked' ? maskedSubmission(whole, account.forms) : whole
  const { console: texts } = locale.texts
  const form = account.forms.find(({ id }) => id === record.formId) ?? null
  const answers = answersIn(record, form, texts.lead)
  const isMasked = view === 'masked'
  return {
    title: isMasked ? (form?.name ?? record.formId) : leadTitle(call, record, form).who,
    ways: html`<a href="/a/${account.handle}">${texts.lead.all}</a>`,
    body: html`<p class="lead soft">${isMasked ? null : html`${form?.name ?? record.formId} · `}<time datetime="${record.receivedAt}">${locale.instant(Date.parse(record.receivedAt), account.settings.timezone)}</time></p>
${isMasked ? null : waysToAnswer(record, texts.lead)}
<div class="card">${answers.length === 0 ? null : factsTable(answers)}${noteOf(call, answers)}</div>${filesPart(call, record)}
${factsTable(aboutLead(call, record))}`,
  }
}

/** What a masked lead leaves out, or why there is nothing to read. */
function noteOf({ locale, view }: AccountPageCall, answers: readonly Fact[]): Markup | null {
  const { masked, lead } = locale.texts.console
  if (view === 'masked') return html`<p class="hint">${masked}</p>`
  return answers.length === 0 ? html`<p>${lead.nothing}</p>` : null
}

type LeadWords = AccountPageCall['locale']['texts']['console']['lead']

/** Without fields that were left empty or are hidden; files stand below the answers. */
function answersIn({ fields, files }: SubmissionRecord, form: Form | null, words: LeadWords): Fact[] {
  const withFiles = new Set(files.map(({ field }) => field))
  return Object.entries(fields)
    .filter(([name, value]) => value !== '' && value !== null && value !== mask && !withFiles.has(name))
    .map(([name, value]): Fact => [captured(fieldLabel(form, name)), captured(readable(value, words))])
}

/** A ticked box comes as `on`. */
function readable(value: JsonValue, { yes, no }: LeadWords): JsonValue {
  if (value === true || value === 'on') return yes
  return value === false ? no : value
}

/** One touch on a phone. */
function waysToAnswer({ fields, identity }: SubmissionRecord, words: LeadWords): Markup | null {
  const phone = phoneToCall(fields)
  const mail = identity.email === null ? null : readMailAddress(identity.email)
  if (phone === null && mail === null) return null
  const call = phone && html`<a class="button" href="${telHref(phone)}">${words.call}</a>`
  const write = mail && html`<a class="button" href="${mailHref(mail)}">${words.write}</a>`
  return html`<p class="do answer">${call}${write}</p>`
}

/** Without the `(0)` that is not dialled behind a country's code (RFC 3966 section 5.1.1 knows no such digits). */
const telHref = (phone: string): string => `tel:${phone.replace(/^(\+.*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`

/** The address without anything that could add headers to the mail (RFC 6068, section 2). */
export const mailHref = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`

function filesPart({ account, locale, view }: AccountPageCall, record: SubmissionRecord): Markup | null {
  const { submissionId, files } = record
  const { lead: words } = locale.texts.console
  if (files.length === 0) return null
  if (view === 'masked') return html`<h2>${words.files}</h2><p>${locale.plural(words.filesHidden, files.length)}</p>`
  const items = files.map(
    ({ id, name, bytes }) =>
      html`<li><a href="/a/${account.handle}/s/${submissionId}/files/${id}" download>${captured(name)}</a> <span class="soft">${locale.bytes(bytes)}</span></li>`,
  )
  return html`<h2>${words.files}</h2><ul class="plain">${items}</ul><p class="hint">${words.filesHint}</p>`
}

function aboutLead({ account, locale }: AccountPageCall, record: SubmissionRecord): Fact[] {
  const { lead: words } = locale.texts.console
  const { submissionId, page } = record
  const shown = html`${captured(`/${page?.slug}`)} · <a href="/a/${account.handle}/s/${submissionId}/page" download>${words.download}</a>`
  const source = cameFrom(record, locale)
  return [
    ...(source === '' ? [] : ([[words.cameFrom, captured(source)]] satisfies Fact[])),
    ...(page === null ? [] : ([[words.page, shown]] satisfies Fact[])),
  ]
}
