import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { SubmissionReceipt } from '../../../operations/submission/show-submission.ts'
import { instant } from '../../../report/instant.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { captured } from '../captured.ts'
import { type Fact, factsTable } from '../facts-table.ts'
import { localTime } from '../local-time.ts'
import type { AccountPageCall } from '../page.ts'
import { touchFacts } from '../touch-facts.ts'

/** The fields that were sent: first those of the form's schema in its order, then undeclared ones. */
export function fieldsTable({ form }: SubmissionReceipt, { fields }: SubmissionRecord): Markup {
  const declared = form === null ? [] : declaredNames(form.form)
  const names = [...new Set([...declared.filter((name) => Object.hasOwn(fields, name)), ...Object.keys(fields)])]
  if (names.length === 0) return html`<p>No field was filled in.</p>`
  return factsTable(names.map((name) => [captured(name), captured(fields[name])]))
}

/** The receipt: when, which form and consent text, from where. */
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
