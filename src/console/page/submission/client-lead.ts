import { html } from '../../../lib/html.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import type { SubmissionReceipt } from '../../../operations/submission/show-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { backLink } from '../../look/shell.ts'
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
): PageContent {
  const { account, locale, view } = call
  const { lead: words, leads } = locale.texts.console
  if (whole.status !== 'accepted')
    return messageContent('heldBack', locale, { href: `/a/${account.handle}`, text: leads })
  const record = view === 'masked' ? maskedSubmission(whole, account.forms) : whole
  const form = account.forms.find(({ id }) => id === record.formId) ?? null
  const ways = view === 'masked' ? null : waysToAnswer(record, words)
  const name = form?.name ?? record.formId
  const title = view === 'masked' ? name : leadTitle(call, record, form).who
  const address = pageAddress(record)
  const shown = shownPageLink(call, record)
  const more: Fact[] = isProcessed ? [[words.cameFrom, captured(cameFrom(record, locale))]] : []
  return {
    title,
    back: backLink(`/a/${account.handle}`, words.all),
    body: html`<p class="lead soft">${title === name ? null : html`${name} · `}<time datetime="${record.receivedAt}">${locale.instant(Date.parse(record.receivedAt), account.settings.timezone)}</time>${address && html` · ${address}`}</p>
${ways && html`<p class="do answer">${ways}</p>`}
${answersPart(call, record, { form, more })}${shown && html`<p>${shown}</p>`}`,
  }
}
