import { html, type Markup } from '../../../lib/html.ts'
import { noFacts } from '../../../report/entry-facts.ts'
import { type SubmissionRecord, submissionRecord } from '../../../report/record.ts'
import type { StoredSubmission } from '../../../report/submission-reader.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { summaryOf } from '../lead-summary.ts'
import type { AccountPageCall } from '../page.ts'
import { captured, localTime } from '../values.ts'

/** As they are now: an operator may have refused or released them. */
export async function recordsOf(
  { account }: AccountPageCall,
  stored: readonly StoredSubmission[],
  { facts }: Pick<ConsoleBox, 'facts'>,
): Promise<SubmissionRecord[]> {
  const rows = stored.map(({ row }) => row)
  const known = await facts.about(account.id, rows)
  return stored.map(({ submission }, index) => submissionRecord(submission, known[index] ?? noFacts))
}

const formOf = ({ account }: AccountPageCall, { formId }: SubmissionRecord) =>
  account.forms.find(({ id }) => id === formId) ?? null

/** Who sent it, and what in short. @param nobody who sent it without name and address */
export const sentSummary = (call: AccountPageCall, record: SubmissionRecord, nobody?: string) =>
  summaryOf(record, formOf(call, record), nobody)

/** What was sent, and below it by which form and when. @param isNamed whether the heading says by whom */
export function sentItem(call: AccountPageCall, record: SubmissionRecord, isNamed: boolean): Markup {
  const { who, words } = sentSummary(call, record)
  const name = isNamed ? null : html`<strong>${captured(who)}</strong> `
  const time = localTime(record.receivedAt, call.account.settings.timezone)
  return html`<p>${name}${words === '' ? null : html`${captured(words)}<br>`}<span class="soft">${formOf(call, record)?.name ?? record.formId}, ${time}</span></p>`
}
