import type { StoredAccount } from '../../account/account.ts'
import { NotThere } from '../../lib/operator-error.ts'
import type { StoredSubmission, SubmissionReader } from '../../report/submission-reader.ts'

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
