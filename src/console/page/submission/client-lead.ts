import { html, type Markup } from '../../../lib/html.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import type { SubmissionReceipt } from '../../../operations/submission/show-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import type { BesideSubmission } from '../../../report/submission-reader.ts'
import { maskedSubmission } from '../../access/masked.ts'
import type { PageContent } from '../../page-content.ts'
import type { AccountPageCall } from '../page.ts'
import { messageContent } from '../page-http.ts'
import { captured, type Fact } from '../values.ts'
import { answersPart, pageAddress, shownPageLink, waysToAnswer } from './answers.ts'
import { cameFrom, leadTitle } from './client-leads.ts'

/** What the account's customer may see. @throws NotThere for what is in quarantine */
export function ofLead({ status }: SubmissionRecord): void {
  if (status !== 'accepted') throw new NotThere('There is no such lead.')
}

/** One lead as the account's customer sees it: who asked for what, ways to answer, and what came with it. */
export function leadContent(
  call: AccountPageCall,
  { record: whole, isProcessed }: Pick<SubmissionReceipt, 'record' | 'isProcessed'>,
  beside: BesideSubmission,
): PageContent {
  const { account, locale, view } = call
  const { lead: words, leads } = locale.texts.console
  if (whole.status !== 'accepted')
    return messageContent('heldBack', locale, { list: { href: `/a/${account.handle}`, text: leads } })
  const record = view === 'masked' ? maskedSubmission(whole, account.forms) : whole
  const form = account.forms.find(({ id }) => id === record.formId) ?? null
  const ways = view === 'masked' ? null : waysToAnswer(record, words)
  const name = form?.name ?? record.formId
  const title = leadTitle(call, record, form).who
  const address = pageAddress(record)
  const shown = shownPageLink(call, record)
  const more: Fact[] = isProcessed ? [[words.cameFrom, captured(cameFrom(record, locale))]] : []
  return {
    title,
    back: waysBeside(call, beside),
    body: html`<p class="lead soft">${title === name ? null : html`${name} · `}<time datetime="${record.receivedAt}">${locale.instant(Date.parse(record.receivedAt), account.settings.timezone)}</time>${address && html` · ${address}`}</p>
${ways && html`<p class="do answer">${ways}</p>`}
${answersPart(call, record, { form, more })}${shown && html`<p>${shown}</p>`}`,
  }
}

function waysBeside({ account, locale }: AccountPageCall, { newer, older }: BesideSubmission): Markup {
  const { leads, lead: words } = locale.texts.console
  const way = (id: string | null, text: string) => id && html`<a href="/a/${account.handle}/s/${id}">${text}</a>`
  return html`<nav class="lead-ways" aria-label="${leads}"><a class="back" href="/a/${account.handle}">${words.all}</a>${way(newer, `↑ ${words.newer}`)}${way(older, `↓ ${words.older}`)}</nav>`
}
