import type { StoredAccount } from '../../account/account.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { type SubmissionRecord, submissionRecord } from '../../report/record.ts'
import type { SubmissionQuery } from '../../report/submission-reader.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { catchUp } from '../record/catch-up.ts'
import { type OnRecordNotice, readingNotices } from '../record/record-notice.ts'
import { refusalAdvice } from '../refusals/refusal-advice.ts'

export interface SubmissionsWanted extends Pick<SubmissionQuery, 'refusedOnly' | 'since' | 'limit'> {
  account: string
}

export interface ListedSubmissions {
  account: string
  /** Latest first. */
  records: SubmissionRecord[]
  /** Advice for each check that refused one of them. */
  advice: { check: string; advice: string }[]
}

/**
 * The latest submissions of an account, without those of the hosted test page.
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function listSubmissions(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts'>,
  { account: handle, ...query }: SubmissionsWanted,
  onNotice: OnRecordNotice,
): Promise<ListedSubmissions> {
  const account = await accountNamed(box.accounts, handle)
  await catchUp(box.processing, onNotice)
  const { onUnreadable, onUnknown } = readingNotices(onNotice)
  const rows = await box.submissions.latest({ ...query, accountId: account.id, onUnreadable })
  const found = await box.facts.about(account.id, rows, onUnknown)
  const records = rows.flatMap(({ entry }, index) =>
    entry.kind === 'submission' ? [submissionRecord(entry, found[index] ?? noFacts)] : [],
  )
  return { account: account.handle, records, advice: adviceFor(records, account) }
}

/** One piece of advice for each check, however many submissions it refused. */
function adviceFor(records: SubmissionRecord[], { settings }: StoredAccount): ListedSubmissions['advice'] {
  const refused = records.filter(({ status }) => status === 'refused')
  const checks = new Set(refused.flatMap(({ refusedFor }) => refusedFor ?? []))
  return [...checks].map((check) => ({
    check,
    advice: refusalAdvice({ endpoint: 'form', check, origin: '', count: 1 }, settings),
  }))
}
