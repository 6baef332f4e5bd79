import { html, type Markup } from '../../../lib/html.ts'
import { noFacts } from '../../../report/entry-facts.ts'
import { submissionRecord } from '../../../report/record.ts'
import type { StoredSubmission } from '../../../report/submission-reader.ts'
import type { AccountPageCall } from '../page.ts'
import { captured, localTime } from '../values.ts'
import { summaryOf } from './inbox-rows.ts'

const formOf = ({ account }: AccountPageCall, { submission }: StoredSubmission) =>
  account.forms.find(({ id }) => id === submission.formId) ?? null

/** Who sent it, and what in short. @param nobody who sent it without name and address */
export const sentSummary = (call: AccountPageCall, each: StoredSubmission, nobody?: string) =>
  summaryOf(submissionRecord(each.submission, noFacts), formOf(call, each), nobody)

/** What was sent, and below it by which form and when. @param isNamed whether the heading says by whom */
export function sentItem(call: AccountPageCall, each: StoredSubmission, isNamed: boolean): Markup {
  const { submission } = each
  const { who, words } = sentSummary(call, each)
  const name = isNamed ? null : html`<strong>${captured(who)}</strong> `
  const time = localTime(submission.receivedAt, call.account.settings.timezone)
  return html`<p>${name}${words === '' ? null : html`${captured(words)}<br>`}<span class="soft">${formOf(call, each)?.name ?? submission.formId}, ${time}</span></p>`
}
