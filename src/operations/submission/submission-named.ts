import type { StoredAccount } from '../../account/account.ts'
import { UnreadableEntry } from '../../ledger/ledger.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import type { StoredSubmission, SubmissionReader } from '../../report/submission-reader.ts'

/** The account's submission with that id. @throws OperatorError with where to find ids, or how to recover a damaged record */
export async function submissionNamed(
  submissions: Pick<SubmissionReader, 'find'>,
  { id: accountId, handle }: Pick<StoredAccount, 'id' | 'handle'>,
  id: string,
): Promise<StoredSubmission> {
  const found = await submissions.find(accountId, id.toLowerCase()).catch((error: unknown) => {
    throw error instanceof UnreadableEntry ? damaged(id, handle) : error
  })
  if (found !== null) return found
  throw new NotThere(
    `There is no submission "${id}" of ${handle}. \`capture submission list ${handle}\` shows the latest with their ids.`,
  )
}

const damaged = (id: string, handle: string) =>
  new OperatorError(
    `The submission ${id} of ${handle} is there, but its record is damaged and cannot be read. \`capture doctor\` checks the database and the disk. A backup from before the damage has the record: restore it into another data folder (\`capture restore FILE --config OTHER.toml\`) and show it there.`,
  )
