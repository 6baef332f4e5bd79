import type { StoredAccount } from '../../account/account.ts'
import type { Form } from '../../account/form.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { type SubmissionRecord, submissionRecord } from '../../report/record.ts'
import type { StoredSubmission, SubmissionReader } from '../../report/submission-reader.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'
import { isPageStored } from './served-page.ts'

/** A submission with its form, page, person and release. */
export interface SubmissionReceipt {
  account: { handle: string; name: string; timezone: string }
  record: SubmissionRecord
  /** Epoch milliseconds; `null`: not released. */
  releasedAt: number | null
  isProcessed: boolean
  /** The form's definition at that time; `null`: deleted. */
  form: { form: Form; publishedAt: number } | null
  /** Whether the landing page's bytes are still stored; `null`: no page is known. */
  pageKept: boolean | null
}

/** The receipt of one submission. @throws OperatorError when there is no such account or submission, or its record is damaged */
export async function showSubmission(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts' | 'assets'>,
  { account: named, id }: { account: string; id: string },
  onNotice: OnRecordNotice,
): Promise<SubmissionReceipt> {
  const account = await accountCaughtUp(box, named, onNotice)
  const { row, submission, releasedAt } = await submissionNamed(box.submissions, account, id)
  const [facts = noFacts] = await box.facts.about(account.id, [row])
  const record = submissionRecord(submission, facts)
  const { handle, settings } = account
  return {
    account: { handle, name: settings.name, timezone: settings.timezone },
    record,
    releasedAt,
    isProcessed: facts.submission !== null,
    form: await box.submissions.formVersion(account.id, submission.formId, submission.formVersion),
    pageKept: record.page === null ? null : await isPageStored(box.assets, record.page.sha256),
  }
}

/** The account's submission with that id. @throws OperatorError with where to find ids */
export async function submissionNamed(
  submissions: Pick<SubmissionReader, 'find'>,
  { id: accountId, handle }: Pick<StoredAccount, 'id' | 'handle'>,
  id: string,
): Promise<StoredSubmission> {
  const found = await submissions.find(accountId, id.toLowerCase())
  if (found !== null) return found
  throw new NotThere(
    `There is no submission "${id}" of ${handle}. \`capture submission list ${handle}\` shows the latest with their ids.`,
  )
}
