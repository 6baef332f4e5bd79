import { fieldLabel } from '../../../account/field-label.ts'
import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonValue } from '../../../lib/json-value.ts'
import { readMailAddress } from '../../../lib/mail-address.ts'
import { messageIn } from '../../../operations/submission/message-field.ts'
import { phoneToCall } from '../../../operations/submission/personal-field.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { mask } from '../../access/masked.ts'
import { contactWays, mailHref, telHref } from '../contact.ts'
import type { AccountPageCall } from '../page.ts'
import { captured, type Fact, factsTable } from '../values.ts'

// What a visitor answered, and the ways to answer them. Colleagues and the account's customer read the same.

/**
 * The message, then the other answers in the order of the form, without empty fields and the one that robots alone fill in.
 * Files stand below.
 *
 * @param more what is known without being sent, below a line: a field may have any name
 */
export function answersPart(
  call: AccountPageCall,
  record: SubmissionRecord,
  { form, more = [] }: { form: Form | null; more?: readonly Fact[] },
): Markup {
  const { lead: words } = call.locale.texts.console
  const { fields, honeypot } = record
  const withFiles = new Set(record.files.map(({ field }) => field))
  const names = new Set([...(form === null ? [] : declaredNames(form)), ...Object.keys(fields)])
  const filled = [...names].filter(
    (name) => (fields[name] ?? '') !== '' && name !== honeypot.field && !withFiles.has(name),
  )
  const label = (name: string) => fieldLabel(form, name)
  const hidden = filled.filter((name) => fields[name] === mask)
  const message = messageIn(record, form)
  const answers = filled
    .filter((name) => fields[name] !== mask && name !== message?.name)
    .map((name): Fact => [captured(label(name)), answerText(fields[name] ?? '', record, words)])
  if (hidden.length > 0)
    answers.push([captured(hidden.map(label).join(', ')), html`<span class="soft">${words.hidden}</span>`])
  const written =
    message === null
      ? null
      : html`<p class="message"><span class="soft">${captured(label(message.name))}</span>\n${captured(message.text)}</p>`
  const nothing = written === null ? html`<p>${words.nothing}</p>` : null
  return html`<div class="card">${written}${answers.length === 0 ? nothing : factsTable(answers)}${more.length === 0 ? null : factsTable(more)}</div>${filesPart(call, record)}`
}

export const declaredNames = ({ schema: { properties } }: Form): string[] =>
  typeof properties === 'object' && properties !== null ? Object.keys(properties) : []

/** An address and a phone number are ways to answer. A ticked box comes as `on`. */
function answerText(value: JsonValue, record: SubmissionRecord, { yes, no }: { yes: string; no: string }): Markup {
  if (value === true || value === 'on') return captured(yes)
  if (value === false) return captured(no)
  const text = typeof value === 'string' ? value.trim() : ''
  const href = mayAnswer(record) ? contactHref(text, phoneToCall(record.fields)) : null
  return href === null ? captured(value) : html`<a href="${href}">${captured(text)}</a>`
}

/** Who answers a robot tells it that somebody reads. */
const mayAnswer = ({ status }: SubmissionRecord): boolean => status === 'accepted'

function contactHref(text: string, phone: string | null): string | null {
  if (phone !== null && text === phone) return telHref(phone)
  const mail = readMailAddress(text)
  return mail && mailHref(mail)
}

export function waysToAnswer(record: SubmissionRecord, words: { call: string; write: string }): Markup | null {
  if (!mayAnswer(record)) return null
  const mail = readMailAddress(record.identity.email ?? '')
  return contactWays({ phone: phoneToCall(record.fields), mail }, words)
}

function filesPart({ account, locale, view }: AccountPageCall, { submissionId, files }: SubmissionRecord) {
  const { lead: words } = locale.texts.console
  if (files.length === 0) return null
  if (view === 'masked') return html`<h2>${words.files}</h2><p>${locale.plural(words.filesHidden, files.length)}</p>`
  const items = files.map(
    ({ id, name, bytes }) =>
      html`<li><a href="/a/${account.handle}/s/${submissionId}/files/${id}" download>${captured(name)}</a> <span class="soft">${locale.bytes(bytes)}</span></li>`,
  )
  return html`<h2>${words.files}</h2><ul class="plain">${items}</ul><p class="hint">${words.filesHint}</p>`
}

/** The landing page, or the website that the form stands on; `null`: it is not known. */
export function pageAddress({ page, source }: SubmissionRecord): Markup | null {
  if (page !== null) return captured(`${source.host}/${page.slug}`)
  return source.origin === null ? null : captured(source.origin.replace(/^https?:\/\//, ''))
}

/** To the landing page as it was; `null`: the form stands elsewhere. */
export const shownPageLink = (
  { account, locale }: AccountPageCall,
  { page, submissionId }: SubmissionRecord,
): Markup | null =>
  page && html`<a href="/a/${account.handle}/s/${submissionId}/page" download>${locale.texts.console.lead.download}</a>`
